import { mixHash } from '#numeric/hash.ts'
import { DRIFTED, EDITED } from '../skeleton/changes.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { PageKind } from '../skeleton/pages.ts'
import { WORDINGS } from './anchors.ts'
import { Composer, type Composition } from './compose.ts'
import type { EditorialLinks } from './links.ts'
import { Listings } from './listings.ts'
import { paragraphKey, randomFor, styleOf } from './text.ts'

/** One content of a page and the weeks in which it was live. */
export interface Version {
  readonly content: Composition
  readonly redirectTo: number | undefined
  readonly spans: [first: number, last: number][]
}

export interface History {
  readonly page: number
  readonly versions: readonly Version[]
}

const REDIRECT: Composition = { blocks: [], links: [] }
const REVISION = 3_000_000
/** Above every page number, so that hosts and pages get different random numbers. */
const HOSTS_FROM = 5_000_000

/** Replays the life of every page in turn. Nothing is kept, so it can be run as often as needed. */
export function* replayHistories(
  web: ModelWeb,
  editorial: EditorialLinks,
  templates: Uint16Array,
): Generator<History> {
  const composer = new Composer(web, editorial, templates, new Listings(web))
  for (let page = 0; page < web.pages.count; page++)
    yield { page, versions: replayPage(web, composer, templates, page) }
}

function replayPage(
  web: ModelWeb,
  composer: Composer,
  templates: Uint16Array,
  page: number,
): Version[] {
  const { pages, weeks, changes, hosts, copies } = web
  const host = hosts[pages.host[page]]
  const mirrored = copies.mirrored.get(host)
  const shown = mirrored ? pages.textOf[page] : page
  const { noise, id: template } = hosts[pages.host[shown]]
  const text = pages.textOf[page]
  // Adverts and dates change on a whole host at once, counters and related links page by page.
  const pageByPage = noise.kind === 'counter' || noise.kind === 'related'
  const noiseSource = pageByPage ? shown : HOSTS_FROM + template
  const lists = pages.kind[page] <= PageKind.listing
  const versions: Version[] = []
  let paragraphs = firstParagraphs(web, text)
  let revision = 0
  let drifted = false
  let noiseWeek = pages.birth[page]
  let noiseCount = 0
  let stale = true
  for (let week = 0; week < pages.end[page]; week++) {
    const change = changes[text * weeks + week]
    if (change & EDITED) {
      if (change & DRIFTED) drifted = true
      paragraphs = revise(web, text, paragraphs, ++revision, drifted)
    }
    if (noise.rate > 0 && week > pages.birth[page] && happens(web, noiseSource, week, noise.rate)) {
      noiseWeek = week
      noiseCount++
      stale = true
    }
    if (change !== 0 || templates[template * weeks + week] === week) stale = true
    if (!pages.isLive(page, week)) continue
    const last = versions.at(-1)
    if (week >= pages.redirectAt[page] && !mirrored) {
      if (last?.redirectTo === undefined)
        versions.push({
          content: REDIRECT,
          redirectTo: pages.redirectTo[page],
          spans: [[week, week]],
        })
      else extend(last, week)
      continue
    }
    if (last && !stale && !lists && !mayGainVariantLink(web, text, week)) {
      extend(last, week)
      continue
    }
    stale = false
    const composed = composer.compose(shown, week, { paragraphs, noiseWeek, noiseCount })
    const content = mirrored ? { ...composed, links: onMirror(composed.links, mirrored) } : composed
    if (last && sameContent(last.content, content)) extend(last, week)
    else versions.push({ content, redirectTo: undefined, spans: [[week, week]] })
  }
  return versions
}

function extend(version: Version, week: number): void {
  const span = version.spans[version.spans.length - 1]
  if (span[1] === week - 1) span[1] = week
  else version.spans.push([week, week])
}

/** A link to a variant comes and goes with the variant. */
function mayGainVariantLink(web: ModelWeb, text: number, week: number): boolean {
  const variant = web.copies.variantOf.get(text)
  if (variant === undefined) return false
  return web.pages.birth[variant] === week || web.pages.end[variant] === week
}

function sameContent(a: Composition, b: Composition): boolean {
  return sameNumbers(a.blocks, b.blocks) && sameNumbers(a.links, b.links)
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const happens = (web: ModelWeb, source: number, week: number, rate: number): boolean =>
  mixHash(mixHash(web.seed, source), 9000 + week) / 2 ** 32 < rate

/** Links to the copied host point to the mirror's own pages, as far as it has them. */
function onMirror(links: readonly number[], copies: ReadonlyMap<number, number>): number[] {
  return links.map((code) => {
    const target = Math.floor(code / WORDINGS)
    return (copies.get(target) ?? target) * WORDINGS + (code % WORDINGS)
  })
}

/** Hubs and listings are short of text of their own; calendars and redirects have none. */
function firstParagraphs(web: ModelWeb, page: number): number[] {
  const kind = web.pages.kind[page]
  if (kind === PageKind.calendar || kind === PageKind.stub || kind === PageKind.listing) return []
  const { paragraphs } = styleOf(web, page)
  const count = web.pages.isArticle(page) && kind !== PageKind.category ? paragraphs : 1
  return Array.from({ length: count }, (_, place) => paragraphKey(0, place, false))
}

/** One edit: a paragraph or two rewritten, sometimes one added or one dropped. */
function revise(
  web: ModelWeb,
  page: number,
  before: readonly number[],
  revision: number,
  drifted: boolean,
): number[] {
  if (before.length === 0) return []
  const random = randomFor(web, page, REVISION + revision)
  const after = [...before]
  const rewritten = 1 + random.below(Math.min(3, after.length))
  for (let place = 0; place < rewritten; place++)
    after[random.below(after.length)] = paragraphKey(revision, place, drifted)
  if (random.chance(0.3) && after.length < 60) after.push(paragraphKey(revision, 8, drifted))
  if (random.chance(0.12) && after.length > 2) after.splice(random.below(after.length), 1)
  return after
}
