import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { canonicalUrl, hostOf } from '#parse/url/canonical-url.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { readWarc } from '#repository/warc/read/warc-reader.ts'
import { exchangeOf, openWriter, warcNames } from '#repository/warc/warc.test-kit.ts'
import { replayAnswer } from '../replay/replay.ts'
import { importedArchive } from './import-archive.ts'
import { ImportedWeb } from './imported-web.ts'
import { WarcCaptures } from './warc-captures.ts'

const WEEKS = 4

/** Fetches all of a web in each week, as a crawler would, into WARC files. */
async function crawlInto(dir: string, web: RecordedWeb): Promise<void> {
  const writer = await openWriter(dir, { rolloverBytes: 200_000, newId: () => crypto.randomUUID() })
  const urls = new Set<string>()
  for (let page = 0; page < web.archive.pageCount; page++)
    urls.add(canonicalUrl(web.archive.urlOf(page))!)
  for (const host of web.hosts()) urls.add(`https://${host}/robots.txt`)
  for (let week = 0; week < WEEKS; week++) {
    let second = 0
    for (const url of urls) {
      const { host, pathname, search, protocol } = new URL(url)
      const headers = { 'x-forwarded-proto': protocol.slice(0, -1) }
      const request = { method: 'GET', host, path: pathname + search, headers }
      const answer = replayAnswer(request, web.at(week))
      const isPacked = second % 2 === 0 && answer.status === 200
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      if (isPacked) lines.push('content-encoding: gzip\r\n')
      if (second % 3 === 0) lines.push('transfer-encoding: chunked\r\n')
      const head = `HTTP/1.1 ${answer.status} Whatever\r\n${lines.join('')}\r\n`
      const startedAt = web.archive.timeOf(week) + 60 + second++
      writer.append(
        exchangeOf(isPacked ? gzipSync(answer.body) : answer.body, { head, startedAt }),
        {
          url,
          isSeed: web.seeds().includes(url),
        },
      )
    }
  }
  await writer.close()
}

async function importFrom(dir: string, names: readonly string[]): Promise<RecordedWeb> {
  const web = new ImportedWeb()
  for (const name of names) {
    const told = new WarcCaptures()
    for await (const record of readWarc(join(dir, name)))
      for (const capture of told.take(record)) web.add(capture)
    for (const capture of told.end()) web.add(capture)
  }
  const records = importedArchive(web, { id: 'back', name: 'Back', stepDays: 7, start: [] })
  return new RecordedWeb(archiveOf(records), 0)
}

test('a web that was crawled into WARC files and imported is the same web, in whatever order they are read', async () => {
  const web = new RecordedWeb(archiveOf(generateModelWeb({ seed: 5, pages: 500, weeks: WEEKS })), 0)
  const dir = temporaryFolder()
  await crawlInto(dir, web)
  const names = warcNames(dir)
  expect(names.length).toBeGreaterThan(2)
  const imported = await importFrom(dir, names)
  expect(imported.archive.site.snapshots).toEqual(web.archive.site.snapshots)
  expect(new Set(imported.seeds())).toEqual(new Set(web.seeds()))
  let compared = 0
  for (let page = 0; page < web.archive.pageCount; page++) {
    const url = canonicalUrl(web.archive.urlOf(page))!
    for (let week = 0; week < WEEKS; week++) {
      const [was, is] = [web.at(week).answer(url), imported.at(week).answer(url)]
      if (was.kind !== 'page' || is.kind !== 'page') {
        if (was.kind === 'redirect') expect(is).toMatchObject({ target: was.target })
        else expect(['gone', 'unknown']).toContain(is.kind)
        continue
      }
      compared++
      // What is boilerplate is judged anew, by what pages of a site have in common.
      const { asides: _, ...said } = was.page
      expect({ ...is.page, asides: undefined }).toEqual(said)
    }
    expect(changesOf(imported, url), url).toEqual(changesOf(web, url))
  }
  expect(compared).toBeGreaterThan(1000)
  for (const host of new Set(imported.archive.site.start.map(hostOf)))
    expect(imported.robotsFor(host)).toContain(web.robotsFor(host)?.trim() ?? 'User-agent')
  const reversed = await importFrom(dir, [...names].reverse())
  expect(reversed.archive.pageCount).toBe(imported.archive.pageCount)
  for (let page = 0; page < imported.archive.pageCount; page++) {
    const url = imported.archive.urlOf(page)
    for (let week = 0; week < WEEKS; week++)
      expect(reversed.at(week).answer(url).kind).toBe(imported.at(week).answer(url).kind)
    expect(changesOf(reversed, url)).toEqual(changesOf(imported, url))
  }
})

/** In which weeks a page was there with another content than the week before. */
function changesOf(web: RecordedWeb, url: string): boolean[] {
  const contents = Array.from({ length: WEEKS }, (_, week) => {
    const answer = web.at(week).answer(url)
    return answer.kind === 'page' ? answer.contentHash : answer.kind
  })
  return contents.map((content, week) => week > 0 && content !== contents[week - 1])
}
