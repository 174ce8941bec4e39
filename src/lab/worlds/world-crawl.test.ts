import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { anchorTexts } from '#learn/text-index/index-pages.ts'
import { recordedScope } from './recorded-scope.ts'
import { WorldCrawl } from './world-crawl.ts'

const pageOf = (name: string) => `http://${name}.example/`
const linksTo = (...links: [name: string, anchor: string][]) => ({
  live: [0, 0] as const,
  links: links.map(([name, anchor]): [string, string] => [pageOf(name), anchor]),
})
const archive = archiveOf(
  smallArchive(1, {
    [pageOf('start')]: [linksTo(['x', 'green frogs'], ['y', 'newts'])],
    [pageOf('x')]: [linksTo(['star', 'toads'], ['outside-of-it', 'elsewhere'])],
    [pageOf('y')]: [linksTo(['star', 'red frogs'])],
    [pageOf('star')]: [linksTo(['deep', 'deep'])],
    [pageOf('deep')]: [linksTo()],
  }),
)
const crawlOf = () =>
  new WorldCrawl({
    ...{ archive, week: 0, log: [], seed: 1, seeksSitemaps: false },
    scope: recordedScope(new RecordedWeb(archive, 0)),
  })
const known = ({ state: { frontier } }: WorldCrawl) =>
  Array.from({ length: frontier.size }, (_, url) => frontier.urls.urlOf(url))

test('a crawl knows what the pages it visited link to, and nothing outside its scope', async () => {
  const crawl = crawlOf()
  expect(known(crawl)).toEqual([pageOf('start')])
  await crawl.visit([pageOf('start')])
  await crawl.visit([pageOf('x')])
  expect(known(crawl)).toEqual(['start', 'x', 'y', 'star'].map(pageOf))
  expect(Array.from(crawl.candidates())).toEqual([2, 3])
  expect(crawl.index.size).toBe(2)
})

test('anchors count from the pages visited, and no others', async () => {
  const crawl = crawlOf()
  const { frontier } = crawl.state
  const anchorsOfStar = () => {
    const star = frontier.urls.find(pageOf('star'))!
    return anchorTexts([star], frontier).get(star)!
  }
  await crawl.visit([pageOf('start'), pageOf('y')])
  expect(anchorsOfStar()).toEqual(['red frogs'])
  await crawl.visit([pageOf('x')])
  expect(anchorsOfStar().sort()).toEqual(['red frogs', 'toads'])
})

test('a page visited though nobody told of it has the depth that is said', async () => {
  const crawl = crawlOf()
  const { discoveries, urls } = crawl.state.frontier
  await crawl.visit([pageOf('star')], () => 7)
  expect(discoveries.depthOf(urls.find(pageOf('star'))!)).toBe(7)
  expect(discoveries.depthOf(urls.find(pageOf('deep'))!)).toBe(8)
})

test('a policy goes on from what was visited, and spends no more than it may', async () => {
  const crawl = crawlOf()
  await crawl.visit([pageOf('start')])
  const fetched = (await crawl.spend('bfs', 3)).map(({ outcome }) => outcome.url)
  expect(fetched).toEqual(['x', 'y', 'star'].map(pageOf))
  expect((await crawl.spend('bfs', 3)).map(({ outcome }) => outcome.url)).toEqual([pageOf('deep')])
})
