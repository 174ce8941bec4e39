import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { parseHtml } from '#parse/html/html.ts'
import { ImportedWeb } from './imported-web.ts'
import { KeptLines } from './kept-lines.ts'
import { publishedArchive } from './published-archive.ts'

const BASE = 'https://example.org/'
const DAY = 86_400
const urlOf = (page: number) => (page === 0 ? BASE : `${BASE}${page}.html`)

/** What pages link to by snapshot; null where a page is not there. */
type Site = readonly (readonly (readonly number[] | null)[])[]

function archiveOfSite(site: Site) {
  const web = new ImportedWeb()
  for (const [snapshot, pages] of site.entries())
    for (const [page, targets] of pages.entries()) {
      const url = urlOf(page)
      const links = targets?.map((target) => `<a href="${urlOf(target)}">${target}</a>`)
      const html = `<title>${page}</title><p>Text of ${page}${links?.join('')}`
      const at = snapshot * DAY
      if (targets) web.add({ kind: 'page', url, at, page: parseHtml(html, url) })
      else web.add({ kind: 'gone', url, at })
    }
  return publishedArchive(web, {
    ...{ id: 'x', name: 'X', base: BASE, start: [] },
    snapshots: site.map((_, i) => ({ date: new Date(i * DAY * 1000).toISOString().slice(0, 10) })),
    snapshotOf: (at) => at / DAY,
  })
}

/** A crawler that fetches all it knows at each snapshot, until it learns nothing more. */
function crawled(site: Site): Set<number> {
  const known = new Set([0])
  const fetched = new Set<number>()
  for (const pages of site)
    for (let before = -1; before !== known.size; ) {
      before = known.size
      for (const page of [...known]) {
        if (!pages[page]) continue
        fetched.add(page)
        for (const target of pages[page]) known.add(target)
      }
    }
  return fetched
}

test('an archive has the pages that a crawler with a memory comes to fetch', () => {
  const page = fc.option(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }))
  const site = fc.array(fc.array(page, { minLength: 7, maxLength: 7 }), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(site, (states) => {
      fc.pre(states.some(([home]) => home !== null))
      const expected = crawled(states)
      const { records, unreachable, emptySnapshots } = archiveOfSite(states)
      const archive = archiveOf(records)
      const urls = Array.from({ length: archive.pageCount }, (_, i) => archive.urlOf(i))
      expect(urls.sort()).toEqual([...expected].map(urlOf).sort())
      const ever = [0, 1, 2, 3, 4, 5, 6].filter((i) => states.some((pages) => pages[i])).length
      expect(unreachable).toBe(ever - expected.size)
      const live = states.map(
        (pages) => pages.filter((links, i) => links && expected.has(i)).length,
      )
      const first = live.findIndex((count) => count > 0)
      expect(archive.site.snapshots.map((snapshot) => snapshot.live)).toEqual(live.slice(first))
      expect(emptySnapshots).toBe(live.length - 1 - live.findLastIndex((count) => count > 0))
    }),
  )
})

test('texts and links of pages left out are not in the archive', () => {
  const { records } = archiveOfSite([[[1], [0], [3], [2, 4]]])
  expect([...records.blocks].map(([text]) => text)).toEqual(['Text of 01', 'Text of 10'])
  expect([...records.links].map(([url]) => url)).toEqual([urlOf(1), urlOf(0)])
})

test('lines that are kept get new numbers without gaps, and runs stay what they were', () => {
  const runs = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 5 })))
    .map((pairs) => pairs.flat())
  fc.assert(
    fc.property(fc.array(runs), (contents) => {
      const lines = new KeptLines(
        40,
        contents.map((blocks) => ({ blocks, links: [], hash: '', title: '', textChars: 0 })),
        ({ blocks }) => blocks,
      )
      const kept = [...lines.kept()]
      const expand = (list: readonly number[]) =>
        list.flatMap((first, at) =>
          at % 2 === 0 ? Array.from({ length: list[at + 1] }, (_, i) => first + i) : [],
        )
      expect(kept).toEqual([...new Set(contents.flatMap(expand))].sort((a, b) => a - b))
      for (const content of contents)
        expect(expand(lines.renumbered(content)).map((line) => kept[line])).toEqual(expand(content))
    }),
  )
})
