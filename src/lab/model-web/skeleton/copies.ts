import type { Random } from '#numeric/random.ts'
import { type Host, makeMirror } from './hosts.ts'
import type { ModelWebKnobs } from './knobs.ts'
import type { WebPlan } from './model-web.ts'
import { asPublic, inventDomainNames } from './names.ts'
import { NEVER, PageKind } from './pages.ts'

/** How many pages of each special kind the web gets; the rest are ordinary. */
interface SpecialCounts {
  readonly calendar: number
  readonly moves: number
  readonly nearDuplicates: number
  readonly stubs: number
  readonly mirrored: number
}

/** Pages that exist because of another page. */
export interface Copies {
  /** Print or parameter variant of an article. */
  readonly variantOf: ReadonlyMap<number, number>
  /** Old address that redirects to the page. */
  readonly stubOf: ReadonlyMap<number, number>
  readonly mirrors: readonly Host[]
  /** For each mirror host: page of the original → page of the mirror. */
  readonly mirrored: ReadonlyMap<Host, ReadonlyMap<number, number>>
}

export function countSpecials(knobs: ModelWebKnobs, pages: number, weeks: number): SpecialCounts {
  const share = (part: number) => Math.round(part * pages)
  return {
    calendar: share(knobs.calendarShare),
    moves: weeks > 1 ? share(knobs.moveShare) : 0,
    nearDuplicates: share(knobs.nearDuplicateShare),
    stubs: share(knobs.redirectStubShare),
    mirrored: share(knobs.mirrorShare),
  }
}

/** Adds calendar months, moved pages, near-duplicates, redirect stubs and mirrors to the table. */
export function addSpecialPages(random: Random, counts: SpecialCounts, web: WebPlan): Copies {
  const articles = random.shuffle(ordinaryArticles(web))
  addCalendars(random, counts.calendar, web)
  addMoves(random, counts.moves, articles, web)
  const variantOf = addVariants(random, counts.nearDuplicates, articles, web)
  const stubOf = addStubs(counts.stubs, articles, web)
  return { variantOf, stubOf, ...addMirrors(random, counts.mirrored, web) }
}

function ordinaryArticles({ hosts, pages }: WebPlan): number[] {
  const articles: number[] = []
  for (let page = 0; page < pages.count; page++) {
    const { name } = hosts[pages.host[page]].archetype
    if (pages.isArticle(page) && name !== 'spam' && name !== 'directory') articles.push(page)
  }
  return articles
}

/** A few hosts get a calendar whose months link to the next and the previous month for ever. */
function addCalendars(random: Random, count: number, { weeks, hosts, pages }: WebPlan): void {
  const keepers = hosts.filter(
    ({ size, domain, archetype }) =>
      size >= 15 && domain.birth === 0 && domain.end === weeks && archetype.quality > -1,
  )
  const trapped = random.shuffle(keepers).slice(0, Math.min(6, Math.max(1, Math.round(count / 60))))
  for (let month = 0; month < count; month++) {
    const host = trapped[month % trapped.length]
    const page = pages.add(PageKind.calendar, host, undefined, host.calendar.length)
    pages.aspect[page] = pages.aspect[host.home]
    pages.second[page] = pages.second[host.home]
    pages.quality[page] = 0.05
    host.calendar.push(page)
  }
}

/** Some articles get a new address in mid-life; the old one redirects there from then on. */
function addMoves(random: Random, count: number, articles: number[], web: WebPlan): void {
  const { hosts, sections, pages } = web
  for (let moved = 0; moved < count; ) {
    const page = articles.pop()
    if (page === undefined) throw new Error('too few articles for moves')
    const weeksLeft = pages.end[page] - pages.birth[page] - 1
    if (weeksLeft < 1) continue
    const week = pages.birth[page] + 1 + random.below(weeksLeft)
    const section = sections[pages.section[page]]
    const target = pages.addCopy(pages.kind[page], hosts[pages.host[page]], section, page)
    pages.birth[target] = week
    pages.listedFrom[target] = week
    pages.outage[page] = NEVER
    pages.redirectTo[page] = target
    pages.redirectAt[page] = week
    section.articles.splice(section.articles.indexOf(page) + 1, 0, target)
    moved++
  }
}

function addVariants(random: Random, count: number, articles: number[], web: WebPlan) {
  const { hosts, sections, pages } = web
  const variantOf = new Map<number, number>()
  for (let made = 0; made < count; made++) {
    const article = articles.pop()
    if (article === undefined) throw new Error('too few articles for near-duplicates')
    const kind = random.chance(0.5) ? PageKind.print : PageKind.variant
    const section = sections[pages.section[article]]
    variantOf.set(article, pages.addCopy(kind, hosts[pages.host[article]], section, article))
  }
  return variantOf
}

function addStubs(count: number, articles: readonly number[], { weeks, hosts, pages }: WebPlan) {
  const stubOf = new Map<number, number>()
  const settled = articles.filter((page) => pages.birth[page] === 0 && pages.end[page] === weeks)
  for (let made = 0; made < count; made++) {
    const target = settled[made % settled.length]
    const stub = pages.addCopy(PageKind.stub, hosts[pages.host[target]], undefined, target)
    pages.ordinal[stub] = made
    pages.redirectTo[stub] = target
    pages.redirectAt[stub] = 0
    stubOf.set(target, stub)
  }
  return stubOf
}

function addMirrors(random: Random, count: number, web: WebPlan) {
  const { weeks, hosts, sections, pages } = web
  const small = random.shuffle(
    hosts.filter(
      ({ size, domain, archetype }) =>
        size >= 4 &&
        size <= 80 &&
        domain.hosts.length === 1 &&
        domain.birth === 0 &&
        domain.end === weeks &&
        archetype.quality > -1,
    ),
  )
  const mirrors: Host[] = []
  const mirrored = new Map<Host, ReadonlyMap<number, number>>()
  const names = inventDomainNames(random.fork('mirrors'), small.length).map(asPublic)
  for (let left = count; left > 0; ) {
    const original = small.pop()
    if (!original) throw new Error('too few small hosts to mirror')
    const place = mirrors.length
    const mirror = makeMirror(hosts.length + place, `mirror.${names[place]}`, original)
    const copies = new Map<number, number>()
    // A mirror may be incomplete: the last one copies only as many pages as are still wanted.
    const end = original.home + Math.min(left, original.size)
    for (let page = original.home; page < end; page++) {
      const copy = pages.addCopy(pages.kind[page], mirror, sections[pages.section[page]], page)
      pages.outage[copy] = pages.outage[page]
      copies.set(page, copy)
    }
    mirror.home = copies.get(original.home)!
    mirrors.push(mirror)
    mirrored.set(mirror, copies)
    left -= original.size
  }
  return { mirrors, mirrored }
}
