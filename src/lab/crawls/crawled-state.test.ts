import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { anchorTexts } from '#learn/text-index/index-pages.ts'
import { CrawledState, crawlBreadthFirst } from './crawled-state.ts'

const pageOf = (name: string) => `http://${name}.example/`
const linksTo = (...links: [name: string, anchor: string][]) => ({
  live: [0, 0] as const,
  links: links.map(([name, anchor]): [string, string] => [pageOf(name), anchor]),
})
const web = () =>
  new RecordedWeb(
    archiveOf(
      smallArchive(1, {
        [pageOf('start')]: [linksTo(['x', 'green frogs'], ['y', 'newts'])],
        [pageOf('x')]: [linksTo(['star', 'toads'], ['outside-of-it', 'elsewhere'])],
        [pageOf('y')]: [linksTo(['star', 'red frogs'])],
        [pageOf('star')]: [linksTo(['deep', 'deep'])],
        [pageOf('deep')]: [linksTo()],
      }),
    ),
    0,
  )
const known = ({ frontier }: CrawledState) =>
  Array.from({ length: frontier.size }, (_, url) => frontier.urls.urlOf(url))

test('a crawl knows what its pages link to, and nothing of other hosts', async () => {
  const state = new CrawledState(web())
  expect(known(state)).toEqual([pageOf('start')])
  await state.crawl([pageOf('start')])
  await state.crawl([pageOf('x')])
  expect(known(state)).toEqual(['start', 'x', 'y', 'star'].map(pageOf))
  expect(Array.from(state.candidates())).toEqual([2, 3])
  expect(state.index.size).toBe(2)
})

test('anchors count from the pages fetched, and no others', async () => {
  const state = new CrawledState(web())
  const anchorsOfStar = () => {
    const star = state.frontier.urls.find(pageOf('star'))!
    return anchorTexts([star], state.frontier).get(star)!
  }
  await state.crawl([pageOf('start'), pageOf('y')])
  expect(anchorsOfStar()).toEqual(['red frogs'])
  await state.crawl([pageOf('x')])
  expect(anchorsOfStar().sort()).toEqual(['red frogs', 'toads'])
})

test('a page fetched though nobody told of it has the depth that is said', async () => {
  const state = new CrawledState(web(), { depthOf: () => 7 })
  await state.crawl([pageOf('star')])
  const { frontier } = state
  expect(frontier.discoveries.depthOf(frontier.urls.find(pageOf('star'))!)).toBe(7)
  expect(frontier.discoveries.depthOf(frontier.urls.find(pageOf('deep'))!)).toBe(8)
})

test('breadth-first goes near pages first and stops at the number asked for', async () => {
  const state = new CrawledState(web())
  const fetched = (await crawlBreadthFirst(state, 4)).map(({ outcome }) => outcome.url)
  expect(fetched).toEqual(['start', 'x', 'y', 'star'].map(pageOf))
  const rest = await crawlBreadthFirst(state, 4)
  expect(rest.map(({ outcome }) => outcome.url)).toEqual([pageOf('deep')])
})
