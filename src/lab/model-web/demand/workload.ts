import type { Random } from '#numeric/random.ts'
import type { Judgment, PageClicks, Query, Workload } from '#workload/workload.ts'
import { urlOf } from '../content/addresses.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { PageKind, type PageTable } from '../skeleton/pages.ts'
import { topicOf } from '../skeleton/topics.ts'
import { drawNeed, type Need, relevance } from './needs.ts'

/** Latent relevance from which on an assessor says 1, 2, 3, 4. */
const GRADE_FROM = [0.25, 0.42, 0.6, 0.78]
/** Share of a pool that are the truly best pages; the rest are drawn. */
const BEST_SHARE = 0.35
const POSITION_NOISE = 0.12

/**
 * Queries with Zipf frequencies, graded judgments and clicks. All of it follows from what searchers
 * need and from the latent topic, quality and kind of pages; no link, score or policy has a say.
 */
export function makeWorkload(random: Random, web: ModelWeb): Workload {
  const { knobs, pages } = web
  const wanted = Math.min(5000, Math.max(200, Math.round(knobs.queriesPerPage * pages.count)))
  const ofTopic = contentPagesByTopic(web)
  const needs = drawNeeds(random.fork('needs'), web, wanted, ofTopic)
  const assessor = random.fork('assessor')
  const queries: Query[] = []
  const judgments: Judgment[] = []
  const clicks = new Float64Array(pages.count)
  needs.forEach((need, rank) => {
    const id = `q${String(rank + 1).padStart(4, '0')}`
    const weight = Math.max(1, Math.round(20_000 / (rank + 2) ** knobs.queryExponent))
    queries.push({ id, text: need.text, weight })
    const judged = judge(assessor, web, need, drawPool(assessor, web, need, ofTopic))
    for (const [page, grade] of judged.grades)
      judgments.push({ queryId: id, url: urlOf(web, page), grade })
    spreadClicks(assessor, judged.relevances, weight, clicks)
  })
  return { queries, judgments, clicks: toPageClicks(web, clicks) }
}

/** Needs in order of how often they are felt: popular topics first, with much scatter. */
function drawNeeds(
  random: Random,
  web: ModelWeb,
  count: number,
  ofTopic: readonly number[][],
): Need[] {
  const texts = new Set<string>()
  const needs: { need: Need; popularity: number }[] = []
  for (let tries = 0; needs.length < count && tries < 30 * count; tries++) {
    const need = drawNeed(random, web)
    if (texts.has(need.text) || ofTopic[topicOf(need.aspect)].length === 0) continue
    texts.add(need.text)
    const topic = web.topics.popularity[topicOf(need.aspect)]
    needs.push({ need, popularity: Math.sqrt(topic) * Math.exp(random.normal()) })
  }
  return needs.sort((a, b) => b.popularity - a.popularity).map(({ need }) => need)
}

function contentPagesByTopic({ pages, topics }: ModelWeb): number[][] {
  const ofTopic: number[][] = Array.from({ length: topics.count }, () => [])
  for (let page = 0; page < pages.count; page++)
    if (pages.kind[page] !== PageKind.stub && pages.kind[page] !== PageKind.calendar)
      ofTopic[topicOf(pages.aspect[page])].push(page)
  return ofTopic
}

/** The pages an assessor is shown: the truly best ones, and others, down to quite wrong ones. */
function drawPool(
  random: Random,
  web: ModelWeb,
  need: Need,
  ofTopic: readonly number[][],
): Set<number> {
  const { knobs, pages, topics, hosts } = web
  const topic = topicOf(need.aspect)
  const best = ofTopic[topic]
    .map((page) => ({ page, value: relevance(web, need, page) + 0.1 * random.normal() }))
    .sort((a, b) => b.value - a.value)
    .slice(0, Math.round(knobs.judgedPages * BEST_SHARE))
  const pool = new Set(best.map(({ page }) => page))
  if (need.site) {
    for (const host of need.site.hosts) pool.add(host.home)
    for (const { mirrorOf, home } of hosts) if (mirrorOf?.domain === need.site) pool.add(home)
  }
  const nearby = random.pick(topics.inField[topics.field[topic]])
  for (let tries = 0; tries < knobs.judgedPages && pool.size < knobs.judgedPages; tries++) {
    const source = tries % 4 === 0 ? ofTopic[nearby] : ofTopic[topic]
    const page =
      tries % 8 === 1 || source.length === 0 ? random.below(pages.count) : random.pick(source)
    if (pages.kind[page] !== PageKind.stub) pool.add(page)
  }
  return pool
}

function judge(
  random: Random,
  web: ModelWeb,
  need: Need,
  pool: ReadonlySet<number>,
): { grades: Map<number, number>; relevances: Map<number, number> } {
  const grades = new Map<number, number>()
  const relevances = new Map<number, number>()
  // Originals come first, for a copy is never judged better than its original.
  for (const page of [...pool].sort(
    (a, b) => rankOfCopy(web.pages, a) - rankOfCopy(web.pages, b) || a - b,
  )) {
    const value = relevance(web, need, page)
    const seen = value > 0 ? value + web.knobs.assessorNoise * random.normal() : value
    const grade = GRADE_FROM.filter((limit) => seen >= limit).length
    grades.set(page, Math.min(grade, grades.get(web.pages.textOf[page]) ?? 4))
    relevances.set(page, value)
  }
  return { grades, relevances }
}

const rankOfCopy = (pages: PageTable, page: number): number => (pages.textOf[page] === page ? 0 : 1)

/** Searchers see the pages roughly in order of relevance and choose the upper ones more often. */
function spreadClicks(
  random: Random,
  relevances: ReadonlyMap<number, number>,
  weight: number,
  clicks: Float64Array,
): void {
  const shown = [...relevances]
    .map(([page, value]) => ({ page, value, place: value + POSITION_NOISE * random.normal() }))
    .sort((a, b) => b.place - a.place)
  shown.forEach(({ page, value }, rank) => {
    clicks[page] += (weight * value) / (rank + 1)
  })
}

function toPageClicks(web: ModelWeb, clicks: Float64Array): PageClicks[] {
  const counted: PageClicks[] = []
  clicks.forEach((count, page) => {
    if (Math.round(count) > 0) counted.push({ url: urlOf(web, page), clicks: Math.round(count) })
  })
  return counted
}
