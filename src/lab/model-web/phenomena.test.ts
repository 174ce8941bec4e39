import { beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { urlOf } from './content/addresses.ts'
import { WORDINGS } from './content/anchors.ts'
import { isBoilerplate } from './content/blocks.ts'
import { replayHistories } from './content/histories.ts'
import { placeLinks } from './content/links.ts'
import { templateWeeks } from './content/templates.ts'
import { generateModelWeb } from './generate.ts'
import { EDITED } from './skeleton/changes.ts'
import { makeSkeleton } from './skeleton/model-web.ts'
import { NEVER, PageKind } from './skeleton/pages.ts'

const OPTIONS = { seed: 11, pages: 3000, weeks: 10 }
const web = makeSkeleton(OPTIONS)
const { pages, hosts, domains, weeks } = web
const allPages = Array.from({ length: pages.count }, (_, page) => page)
const ofKind = (kind: number) => allPages.filter((page) => pages.kind[page] === kind)
const domainOf = (page: number) => hosts[pages.host[page]].domain

describe('the shape of the web', () => {
  test('domains are of very unequal size', () => {
    const sizes = domains.map((domain) => domain.hosts.reduce((sum, { size }) => sum + size, 0))
    const sorted = sizes.sort((a, b) => b - a)
    const top = sorted.slice(0, Math.ceil(sorted.length / 10)).reduce((sum, size) => sum + size, 0)
    expect(top / pages.count).toBeGreaterThan(0.4)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(pages.count / 100)
  })

  test('large domains have several hosts, and suffixes differ', () => {
    expect(domains.filter((domain) => domain.hosts.length > 1).length).toBeGreaterThan(1)
    expect(
      new Set(domains.map(({ name }) => name.split('.').slice(1).join('.'))).size,
    ).toBeGreaterThan(5)
  })

  test('topics have a head and a long tail', () => {
    const counts = new Map<number, number>()
    for (const page of allPages) {
      const topic = Math.floor(pages.aspect[page] / 6)
      counts.set(topic, (counts.get(topic) ?? 0) + 1)
    }
    const sorted = [...counts.values()].sort((a, b) => b - a)
    expect(sorted[0]).toBeGreaterThan(8 * sorted[Math.floor(sorted.length / 2)])
  })

  test('each kind of page exists', () => {
    for (const kind of Object.values(PageKind)) expect(ofKind(kind).length).toBeGreaterThan(0)
  })

  test('mirrors show the pages of another host under another domain', () => {
    const { mirrors, mirrored } = web.copies
    expect(mirrors.length).toBeGreaterThan(0)
    for (const mirror of mirrors) {
      expect(mirrored.get(mirror)!.size).toBeGreaterThan(0)
      expect(mirror.domain.name).not.toBe(mirror.mirrorOf!.domain.name)
      for (const [original, copy] of mirrored.get(mirror)!)
        expect(new URL(urlOf(web, copy)).pathname).toBe(new URL(urlOf(web, original)).pathname)
    }
  })

  test('moved pages redirect to a page that is there', () => {
    const redirects = allPages.filter((page) => pages.redirectAt[page] !== NEVER)
    const moves = redirects.filter((page) => pages.kind[page] !== PageKind.stub)
    expect(moves.length).toBeGreaterThan(10)
    expect(redirects.length).toBeGreaterThan(moves.length)
    for (const page of redirects)
      for (let week = pages.redirectAt[page]; week < pages.end[page]; week++)
        expect(
          pages.isLive(pages.redirectTo[page], week) ||
            pages.outage[pages.redirectTo[page]] === week,
        ).toBe(true)
  })

  test('some hosts forbid one of their sections', () => {
    const forbidden = web.sections.filter(({ disallowed }) => disallowed)
    expect(forbidden.length).toBeGreaterThan(0)
    for (const { host, slug } of forbidden) expect(host.robots).toContain(`Disallow: /${slug}/`)
  })
})

describe('the life of the web', () => {
  test('pages are born and die, unequally over hosts and weeks', () => {
    const born = new Uint32Array(weeks)
    for (const page of allPages) born[pages.birth[page]]++
    const later = born.subarray(1)
    expect(Math.min(...later)).toBeGreaterThan(0)
    expect(Math.max(...later)).toBeGreaterThan(1.5 * (later.reduce((a, b) => a + b) / later.length))
    expect(allPages.some((page) => pages.end[page] < weeks)).toBe(true)
    expect(domains.some((domain) => domain.birth > 0)).toBe(true)
  })

  test('at least one section is deleted in a single week', () => {
    const deleted = web.sections.filter(
      (section) => section.end < Math.min(weeks, section.host.domain.end),
    )
    expect(deleted.length).toBeGreaterThan(0)
    for (const section of deleted) {
      expect(section.articles.every((page) => pages.end[page] <= section.end)).toBe(true)
      const atOnce = section.articles.filter((page) => pages.end[page] === section.end).length
      expect(atOnce).toBeGreaterThan(5)
    }
  })

  test('edits come in bursts: after an edit another is likelier than otherwise', () => {
    const edited = (page: number, week: number) => web.changes[page * weeks + week] & EDITED
    let [after, afterEdits, calm, calmEdits] = [0, 0, 0, 0]
    for (const page of allPages)
      for (let week = pages.birth[page] + 2; week < weeks; week++) {
        if (edited(page, week - 1))
          [after, afterEdits] = [after + 1, afterEdits + edited(page, week)]
        else [calm, calmEdits] = [calm + 1, calmEdits + edited(page, week)]
      }
    expect(afterEdits / after).toBeGreaterThan(4 * (calmEdits / calm))
  })
})

describe('links and versions', () => {
  const inDegrees = new Uint32Array(pages.count)
  let [versions, mainSame, afterEnd] = [0, 0, 0]

  beforeAll(() => {
    const editorial = placeLinks(seededRandom(1), web)
    for (const { page, versions: itsVersions } of replayHistories(
      web,
      editorial,
      templateWeeks(web),
    )) {
      const { links } = itsVersions[itsVersions.length - 1].content
      for (const target of new Set(links.map((code) => Math.floor(code / WORDINGS)))) {
        if (target < pages.count && target !== page) inDegrees[target]++
        if (target >= pages.count && pages.kind[page] === PageKind.calendar) afterEnd++
      }
      versions += itsVersions.length
      for (let i = 1; i < itsVersions.length; i++) {
        const main = (version: number) =>
          itsVersions[version].content.blocks.filter((key) => !isBoilerplate(key))
        if (main(i).join() === main(i - 1).join()) mainSame++
      }
    }
  })

  test('in-degrees have a heavy tail', () => {
    const sorted = [...inDegrees].sort((a, b) => b - a)
    expect(sorted[0]).toBeGreaterThan(50 * sorted[Math.floor(sorted.length / 2)])
    expect(sorted[Math.floor(sorted.length / 100)]).toBeGreaterThan(
      5 * sorted[Math.floor(sorted.length / 2)],
    )
  })

  test('some changes touch the main text and some only what surrounds it', () => {
    const changes = versions - pages.count
    expect(mainSame / changes).toBeGreaterThan(0.2)
    expect(mainSame / changes).toBeLessThan(0.9)
  })

  test('the calendar leads on beyond its last page', () => {
    expect(afterEnd).toBeGreaterThan(0)
    expect(ofKind(PageKind.calendar).length / pages.count).toBeLessThan(0.02)
  })

  test('good pages get more links from other domains than bad ones', () => {
    const editorial = placeLinks(seededRandom(1), web)
    const received = new Uint32Array(pages.count)
    for (const page of allPages)
      for (let link = editorial.offsets[page]; link < editorial.offsets[page + 1]; link++) {
        const target = editorial.target[link]
        if (target < pages.count && domainOf(page) !== domainOf(target)) received[target]++
      }
    const articles = allPages
      .filter((page) => pages.isArticle(page) && pages.textOf[page] === page)
      .sort((a, b) => pages.quality[a] - pages.quality[b])
    const half = articles.length >> 1
    const mean = (some: number[]) =>
      some.reduce((sum, page) => sum + received[page], 0) / some.length
    expect(mean(articles.slice(half))).toBeGreaterThan(1.2 * mean(articles.slice(0, half)))
  })
})

describe('the workload', () => {
  const { workload } = generateModelWeb(OPTIONS)
  const { queries, judgments, clicks } = workload!
  const urls = new Map(allPages.map((page) => [urlOf(web, page), page]))

  test('frequencies follow Zipf and every query is there once', () => {
    expect(queries.length).toBe(200)
    expect(new Set(queries.map(({ text }) => text)).size).toBe(queries.length)
    expect(queries[0].weight).toBeGreaterThan(20 * queries[queries.length - 1].weight)
    for (const { text } of queries) expect(text.split(' ').length).toBeLessThanOrEqual(6)
  })

  test('judgments are about pages of the web, use all grades, and name each page once a query', () => {
    const grades = new Uint32Array(5)
    const seen = new Set<string>()
    for (const { queryId, url, grade } of judgments) {
      expect(urls.has(url)).toBe(true)
      grades[grade]++
      seen.add(`${queryId} ${url}`)
    }
    expect(seen.size).toBe(judgments.length)
    expect(Math.min(...grades)).toBeGreaterThan(0)
    expect(grades[0] / judgments.length).toBeGreaterThan(0.2)
  })

  test('a copy is never judged better than its original', () => {
    const gradeOf = new Map(
      judgments.map(({ queryId, url, grade }) => [`${queryId} ${url}`, grade]),
    )
    let copies = 0
    for (const { queryId, url, grade } of judgments) {
      const original = pages.textOf[urls.get(url)!]
      const its = gradeOf.get(`${queryId} ${urlOf(web, original)}`)
      if (original === urls.get(url) || its === undefined) continue
      copies++
      expect(grade).toBeLessThanOrEqual(its)
    }
    expect(copies).toBeGreaterThan(0)
  })

  test('clicks go to pages of the web', () => {
    expect(clicks.length).toBeGreaterThan(100)
    for (const click of clicks) {
      expect(urls.has(click.url)).toBe(true)
      expect(click.clicks).toBeGreaterThan(0)
    }
  })
})
