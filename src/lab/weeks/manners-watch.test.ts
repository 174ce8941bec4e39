import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedRobots } from '#archive/recorded-robots.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { MannersWatch } from './manners-watch.ts'

const archive = archiveOf(
  smallArchive(
    1,
    { 'https://a.example/': [{ live: [0, 0] }], 'https://b.example/': [{ live: [0, 0] }] },
    { robots: { 'a.example': 'User-agent: *\nDisallow: /shut\n' } },
  ),
)
const watchOf = () => new MannersWatch(new RecordedRobots(new RecordedWeb(archive, 0)))

test('a crawler that asks for robots.txt and then for one page at a time has manners', () => {
  const watch = watchOf()
  watch.request('https://a.example/robots.txt')()
  const answered = watch.request('https://a.example/')
  watch.request('https://b.example/robots.txt')()
  answered()
  watch.request('https://a.example/2')()
  const manners = { requests: 4, mostAtOnce: 1, disallowed: 0, unasked: 0 }
  expect(watch.manners()).toEqual(manners)
})

test('requests at once, forbidden ones and those before robots.txt are seen', () => {
  const watch = watchOf()
  watch.request('https://b.example/') // nobody asked for the robots.txt of b
  watch.request('https://a.example/robots.txt')
  watch.request('https://a.example/')
  watch.request('https://a.example/shut?x')()
  expect(watch.manners()).toEqual({ requests: 4, mostAtOnce: 3, disallowed: 1, unasked: 1 })
})
