import { expect, test } from 'vitest'
import type { BlockRecord, LinkRecord, PageRecord, VersionRecord } from '#archive/format/format.ts'
import { generateModelWeb } from './generate.ts'

const OPTIONS = { seed: 3, pages: 2000, weeks: 8 }

function allOf(options: { seed: number; pages: number; weeks: number }) {
  const { site, pages, versions, blocks, links, workload } = generateModelWeb(options)
  return {
    site,
    pages: [...pages],
    versions: [...versions],
    blocks: [...blocks],
    links: [...links],
    workload: workload!,
  }
}

const web = allOf(OPTIONS)
const pageOf = new Map(web.pages.map((page) => [page.url, page]))

/** Line numbers of a run-length list, in order. */
function linesOf(runs: readonly number[]): number[] {
  const lines: number[] = []
  for (let at = 0; at < runs.length; at += 2)
    for (let i = 0; i < runs[at + 1]; i++) lines.push(runs[at] + i)
  return lines
}

const versionAt = (page: PageRecord, week: number): VersionRecord | undefined => {
  const span = page.v.find(([first, last]) => first <= week && week <= last)
  return span && web.versions[span[2]]
}
const linksOf = (version: VersionRecord): LinkRecord[] =>
  linesOf(version.l).map((line) => web.links[line])
const blocksOf = (version: VersionRecord): BlockRecord[] =>
  linesOf(version.b).map((line) => web.blocks[line])

test('the same seed gives the same records, another seed others', () => {
  expect(allOf(OPTIONS)).toEqual(web)
  expect(allOf({ ...OPTIONS, seed: 4 }).pages).not.toEqual(web.pages)
})

test('the line files can be read in any order', () => {
  const again = generateModelWeb(OPTIONS)
  expect([...again.links]).toEqual(web.links)
  expect([...again.blocks]).toEqual(web.blocks)
  expect([...again.versions]).toEqual(web.versions)
  expect([...again.pages]).toEqual(web.pages)
})

test('there are exactly as many pages and weeks as asked for, each page under its own URL', () => {
  expect(web.pages).toHaveLength(OPTIONS.pages)
  expect(web.site.snapshots).toHaveLength(OPTIONS.weeks)
  expect(pageOf.size).toBe(OPTIONS.pages)
  for (const url of pageOf.keys()) expect(new URL(url).href).toBe(url)
})

test('spans are ordered, do not overlap, and lie within the snapshots', () => {
  for (const { v } of web.pages) {
    expect(v.length).toBeGreaterThan(0)
    let previous = -1
    for (const [first, last] of v) {
      expect(first).toBeGreaterThan(previous)
      expect(last).toBeGreaterThanOrEqual(first)
      expect(last).toBeLessThan(OPTIONS.weeks)
      previous = last
    }
  }
})

test('versions are numbered page by page, oldest first, and every span names one of its page', () => {
  expect(web.versions.map(({ i }) => i)).toEqual(web.versions.map((_, i) => i))
  const pages = web.versions.map(({ p }) => p)
  expect(pages).toEqual([...pages].sort((a, b) => a - b))
  const used = new Set<number>()
  for (const page of web.pages)
    for (const [, , version] of page.v) {
      expect(web.versions[version].p).toBe(page.i)
      used.add(version)
    }
  expect(used.size).toBe(web.versions.length)
})

test('lists of lines stay within their files, and every line is used', () => {
  const blocks = new Set(web.versions.flatMap(({ b }) => linesOf(b)))
  const links = new Set(web.versions.flatMap(({ l }) => linesOf(l)))
  expect([...blocks].every((line) => line < web.blocks.length)).toBe(true)
  expect([...links].every((line) => line < web.links.length)).toBe(true)
  expect(blocks.size).toBe(web.blocks.length)
  expect(links.size).toBe(web.links.length)
})

test('a link is marked by where it leads, and no line comes twice', () => {
  const hosts = new Set(web.pages.map(({ url }) => new URL(url).host))
  for (const [url, , where] of web.links) {
    expect(where === 1).toBe(pageOf.has(url))
    if (where === undefined) expect(hosts.has(new URL(url).host)).toBe(false)
    else expect(hosts.has(new URL(url).host)).toBe(true)
  }
  expect(
    new Set(web.links.map((link) => JSON.stringify(link.slice(0, 2)))).size / web.links.length,
  ).toBeGreaterThan(0.97)
})

test('live counts are those of the spans', () => {
  for (const { i, live } of web.site.snapshots)
    expect(web.pages.filter((page) => versionAt(page, i)).length).toBe(live)
})

test('text lengths and hashes follow from what a version shows', () => {
  const titleAndMain = new Map<string, string>()
  for (const version of web.versions) {
    const blocks = blocksOf(version)
    expect(version.n).toBe(blocks.map(([text]) => text).join('\n').length)
    const main = blocks.filter(([, boilerplate]) => !boilerplate).map(([text]) => text)
    const shown = JSON.stringify([version.t, version.rd, ...main])
    expect(titleAndMain.get(version.c) ?? shown).toBe(shown)
    titleAndMain.set(version.c, shown)
  }
})

test('neighbouring versions of a page differ', () => {
  for (let i = 1; i < web.versions.length; i++)
    if (web.versions[i].p === web.versions[i - 1].p)
      expect(web.versions[i].h).not.toBe(web.versions[i - 1].h)
})

test('wrong sizes are the user’s mistake', () => {
  expect(() => generateModelWeb({ ...OPTIONS, pages: 10 })).toThrow('pages')
  expect(() => generateModelWeb({ ...OPTIONS, weeks: 0 })).toThrow('weeks')
})

test('a web of one week and a web of many are both possible', () => {
  expect(allOf({ seed: 1, pages: 500, weeks: 1 }).pages).toHaveLength(500)
  expect(allOf({ seed: 2, pages: 700, weeks: 40 }).pages).toHaveLength(700)
})

test('from the seeds nearly every live page can be reached', () => {
  const linkedPages = (version: VersionRecord) =>
    version.rd
      ? [version.rd]
      : linksOf(version).flatMap(([url, , where]) => (where === 1 ? [url] : []))
  for (const week of [0, OPTIONS.weeks - 1]) {
    const reached = new Set(web.site.start)
    for (const url of reached) {
      const version = versionAt(pageOf.get(url)!, week)
      for (const next of version ? linkedPages(version) : [])
        if (versionAt(pageOf.get(next)!, week)) reached.add(next)
    }
    expect(reached.size / web.site.snapshots[week].live).toBeGreaterThan(0.98)
  }
})

test('every start URL is the home page of a host that is always there', () => {
  for (const url of web.site.start) {
    const spans = pageOf.get(url)!.v
    expect(spans[0][0]).toBe(0)
    expect(spans[spans.length - 1][1]).toBe(OPTIONS.weeks - 1)
    expect(new URL(url).pathname).toBe('/')
  }
})
