import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { generateModelWeb } from '../model-web/generate.ts'
import { dealtOut } from './dealt-out.ts'

test('a web on more domains has the same pages and links, under other addresses', () => {
  const archive = archiveOf(generateModelWeb({ seed: 5, pages: 500, weeks: 2 }))
  const dealt = dealtOut(archive, 8)
  const [before, after] = [archive, dealt].map((one) => new RecordedWeb(one, 1))
  expect(after.hosts().length).toBeGreaterThan(3 * before.hosts().length)
  expect(after.seeds().map((url) => after.find(url).kind)).toEqual(
    before.seeds().map((url) => before.find(url).kind),
  )
  const ledTo = (web: RecordedWeb) =>
    Array.from(web.archive.livePages(1), (page) => {
      const kinds: unknown[] = []
      web.forEachLinkUrl(web.archive.versionAt(page, 1)!, (url) => {
        const place = web.find(url)
        kinds.push(place.kind === 'page' ? place.page : place.kind)
      })
      return kinds
    })
  expect(ledTo(after)).toEqual(ledTo(before))
})
