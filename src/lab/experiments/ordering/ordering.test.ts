import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { firstOf, isThorough } from '#numeric/cases.test-kit.ts'
import { seededRandom } from '#numeric/random.ts'
import type { Bidder } from '#policy/bidder.ts'
import { breadthFirst } from '#policy/orders/link-orders.ts'
import { newPagesPlanner } from '#policy/planning/budget-planner.ts'
import { topVisibility } from '#search/gain/visibility.ts'
import { AnswerTruth } from '../../judging/answer-truth.ts'
import { splitQueries } from '../../judging/query-split.ts'
import { generateModelWeb } from '../../model-web/generate.ts'
import { recordedScope } from '../../worlds/recorded-scope.ts'
import { WorldCrawl } from '../../worlds/world-crawl.ts'
import { FRACTIONS, type OrderingSetup, runFrontier, runSample, sampleOrder } from './ordering.ts'
import { type OrderingPolicy, orderingPolicyNamed, USUAL_ORDERINGS } from './ordering-policies.ts'
import { frontierSetting, heldPages, importanceOf, sampleSetting } from './ordering-settings.ts'

const records = generateModelWeb({ seed: 5, pages: 700, weeks: 2 })
const web = new RecordedWeb(archiveOf(records), 1, { sitemaps: 'none' })
const { queries, judgments } = records.workload!
const truth = new AnswerTruth(web, queries)
const importance = importanceOf(truth)
const sample = await sampleSetting(truth, importance, 1, seededRandom(1))
const split = splitQueries(queries, 'log', seededRandom(2))
const setupOf = (policy: OrderingPolicy): OrderingSetup => ({
  truth,
  judgments,
  setting: sample,
  split,
  policy,
  seed: 1,
})
const pageOf = (url: number) => truth.pageAt(sample.crawl.state.frontier.urls.urlOf(url))
const biddingBy = (bids: Bidder['bids']): OrderingPolicy => ({
  summary: '',
  planner: ({ crawl }) => newPagesPlanner({ ...breadthFirst, bids }, crawl.state.lessons),
})
const impactAt = ({ points }: ReturnType<typeof runSample>, fraction: number) =>
  points.find((point) => point.fraction === fraction)!.impact

test('a sample takes three tenths of the pages away, and none of them is held', () => {
  expect(sample.uncrawled.length).toBe(Math.round(0.3 * truth.pages.length))
  const isHeld = heldPages(truth, sample.crawl)
  for (const page of truth.pages) expect(isHeld[page]).toBe(sample.uncrawled.includes(page) ? 0 : 1)
})

test('the second sample is the first without its most important fifth', async () => {
  const { uncrawled } = await sampleSetting(truth, importance, 2, seededRandom(1))
  const given = sample.uncrawled.filter((page) => !uncrawled.includes(page))
  expect(uncrawled.every((page) => sample.uncrawled.includes(page))).toBe(true)
  expect(given.length).toBe(Math.round(0.2 * sample.uncrawled.length))
  const ranks = (pages: Uint32Array) => Array.from(pages, (page) => importance.pageRank[page])
  expect(Math.min(...ranks(given))).toBeGreaterThanOrEqual(Math.max(...ranks(uncrawled)))
})

test('every order fetches every page once, and so ends with everything', () => {
  const names = isThorough ? USUAL_ORDERINGS : ['random', 'hybrid-paper', 'impact']
  for (const policy of names.map((name) => orderingPolicyNamed(name))) {
    const order = [...sampleOrder(setupOf(policy))]
    expect(order.toSorted((a, b) => a - b)).toEqual([...sample.uncrawled])
    const { points } = runSample(setupOf(policy))
    expect(points.map(({ fraction }) => fraction)).toEqual(FRACTIONS)
    expect(points.map(({ fetched }) => fetched)).toEqual(
      FRACTIONS.map((fraction) => Math.round(fraction * sample.uncrawled.length)),
    )
    expect(points[0].impact).toBe(0)
    expect(points.at(-1)!.impact).toBeCloseTo(1, 9)
    expect(points.at(-1)!.visibleImpact).toBeCloseTo(1, 9)
    points.slice(1).forEach(({ impact, quality, maxNdcg }, i) => {
      expect(impact).toBeGreaterThanOrEqual(points[i].impact)
      expect(quality).toBeGreaterThanOrEqual(points[i].quality! - 1e-9)
      expect(maxNdcg).toBeGreaterThanOrEqual(points[i].maxNdcg! - 1e-9)
    })
  }
})

test('the area is the mean over all fetches of what was had before and after', () => {
  const setup = setupOf(orderingPolicyNamed('pagerank'))
  const impacts = truth.impacts(split.testWeights, (rank) => (rank <= 10 ? 1 : 0))
  const order = [...sampleOrder(setup)].map((page) => impacts[page])
  const total = order.reduce((sum, impact) => sum + impact, 0)
  const upTo = (fetched: number) => order.slice(0, fetched).reduce((sum, impact) => sum + impact, 0)
  const means = order.map((_, i) => (upTo(i) + upTo(i + 1)) / 2 / total)
  const expected = means.reduce((sum, mean) => sum + mean, 0) / order.length
  expect(runSample(setup).area).toBeCloseTo(expected, 9)
})

test('nobody beats the clairvoyant, and the random order fetches impact evenly', () => {
  const curves = Object.fromEntries(
    USUAL_ORDERINGS.map((name) => [name, runSample(setupOf(orderingPolicyNamed(name)))]),
  )
  const best = curves['clairvoyant-test']
  for (const curve of Object.values(curves)) {
    expect(curve.area).toBeLessThanOrEqual(best.area + 1e-9)
    expect(impactAt(curve, 0.2)).toBeLessThanOrEqual(impactAt(best, 0.2) + 1e-9)
  }
  expect(best.area).toBeGreaterThan(0.75)
  expect(Math.abs(curves.random.area - 0.5)).toBeLessThan(0.12)
  expect(impactAt(curves['clairvoyant-training'], 0.2)).toBeGreaterThan(
    2 * impactAt(curves.random, 0.2),
  )
})

test('pages that a policy does not bid for come last, and those nobody links to after them', () => {
  const onlyOne = biddingBy(({ candidates }) => ({
    purpose: 'acquire',
    urls: candidates.slice(-1),
    gains: Float64Array.of(1),
    why: () => '',
  }))
  const { crawl } = sample
  const [first] = sampleOrder(setupOf(onlyOne))
  const known = Array.from(crawl.candidates(), pageOf)
  const missing = known.filter((page) => page !== undefined && sample.uncrawled.includes(page))
  expect(first).toBe(missing.at(-1))
  const order = [...sampleOrder(setupOf(onlyOne))]
  expect(new Set(order.slice(0, missing.length))).toEqual(new Set(missing))
  expect(missing.length).toBeLessThan(order.length)
})

test('sketches of fewer queries know less', () => {
  const policy = orderingPolicyNamed('clairvoyant-training')
  const areas = [0.02, 1].map((needyShare) => runSample({ ...setupOf(policy), needyShare }).area)
  expect(areas[0]).toBeLessThan(areas[1])
})

test('a frontier grows by what is fetched, batch by batch, and each batch is planned', async () => {
  const asked: number[] = []
  const policy = biddingBy((facts) => {
    asked.push(facts.budget)
    return breadthFirst.bids(facts)
  })
  const setting = await frontierSetting(truth, split.training, 1)
  const base = truth.pages.length - setting.uncrawled.length
  expect(base).toBeLessThanOrEqual(Math.round(0.1 * truth.pages.length))
  expect(base).toBeGreaterThan(0.09 * truth.pages.length)
  const run = { ...setupOf(policy), setting }
  const { points } = await runFrontier(run, { batchShare: 0.05, until: 0.2 })
  expect(points.map(({ fraction }) => fraction)).toEqual([0, 0.05, 0.1, 0.15, 0.2])
  expect(points.at(-1)!.fetched).toBe(Math.round(0.2 * setting.uncrawled.length))
  expect(points.at(-1)!.quality).toBeGreaterThan(points[0].quality!)
  expect(asked).toEqual(points.slice(1).map(({ fetched }, i) => fetched - points[i].fetched))
})

test('what nobody links to is never fetched from a frontier, and the curve ends below the whole', async () => {
  const page = (title: string, ...links: string[]) => [
    { live: [0, 0] as const, title, links: links.map((url): [string, string] => [url, 'link']) },
  ]
  const url = (name: string) => `http://small.example/${name}`
  const small = smallArchive(1, {
    [url('')]: page('start', url('a'), url('gone')),
    [url('a')]: page('frogs', url('b')),
    [url('b')]: page('newts'),
    [url('island')]: page('frogs'),
  })
  const smallTruth = new AnswerTruth(new RecordedWeb(archiveOf(small), 0), [
    { id: 'q', text: 'frogs', weight: 1 },
  ])
  const setting = await frontierSetting(smallTruth, [], 1)
  const run = {
    ...setupOf(orderingPolicyNamed('pagerank')),
    truth: smallTruth,
    split: splitQueries(smallTruth.queries, 'same', seededRandom(1)),
    setting,
  }
  const { points } = await runFrontier(run, { batchShare: 0.25, until: 1 })
  const isHeld = heldPages(smallTruth, setting.crawl)
  expect(isHeld[smallTruth.pageAt(url('island'))!]).toBe(0)
  expect(isHeld[smallTruth.pageAt(url('a'))!]).toBe(1)
  expect(points.at(-1)!.impact).toBe(0.5)
})

test('bids of quality are compared with the quality that comes; those of one who knows come true', () => {
  const worths = truth.gains(split.testWeights)
  const knowing = {
    ...biddingBy(({ candidates: urls }) => ({
      purpose: 'acquire',
      urls,
      gains: Float64Array.from(urls, (url) => worths[pageOf(url) ?? -1] ?? 0),
      why: () => '',
    })),
    bidsInQuality: true,
  }
  const { calibration } = runSample(setupOf(knowing))
  expect(calibration!.rankCorrelation).toBeCloseTo(1, 9)
  for (const { predicted, realised } of calibration!.groups)
    expect(predicted).toBeCloseTo(realised, 9)
  const learnt = runSample(setupOf(orderingPolicyNamed('impact'))).calibration!
  expect(learnt.rankCorrelation).toBeGreaterThan(0.1)
  expect(learnt.groups.at(-1)!.realised).toBeGreaterThan(2 * learnt.groups[0].realised)
  expect(runSample(setupOf(orderingPolicyNamed('pagerank'))).calibration).toBeUndefined()
})

test('K, ρ and g reach the policies of the paper', () => {
  const bidsBy = (told: Partial<OrderingSetup>) => {
    let gains: number[] = []
    const policy = orderingPolicyNamed('query-driven')
    const watched: OrderingPolicy = {
      ...policy,
      planner: (task) => {
        const planner = policy.planner(task)
        const draft = planner.draft.bind(planner)
        planner.draft = (request) => {
          const drafted = draft(request)
          gains = [...drafted.acquire.gains]
          return drafted
        }
        return planner
      },
    }
    runSample({ ...setupOf(watched), ...told })
    return gains
  }
  const total = (gains: readonly number[]) => gains.reduce((sum, gain) => sum + gain, 0)
  const matched = (gains: readonly number[]) => gains.filter((gain) => gain > 0).length
  const searches = total([...split.trainingWeights])
  const printed = bidsBy({})
  const one = bidsBy({ k: 1 })
  // A query has one place to give, so searchers see no more pages than there are searches.
  expect(total(one)).toBeGreaterThan(0)
  expect(total(one)).toBeLessThanOrEqual(searches)
  expect(total(printed)).toBeGreaterThan(total(one))
  expect(matched(bidsBy({ matchShare: 0.3 }))).toBeGreaterThan(matched(printed))
  expect(bidsBy({ longestNgram: 1 })).not.toEqual(printed)
})

test.each(firstOf(1, ['impact', 'pagerank', 'hybrid-paper']))(
  'an order made once gains what the real crawl gains that goes on from there: %s',
  async (name) => {
    const setting = await sampleSetting(truth, importance, 1, seededRandom(1))
    const setup = { ...setupOf(orderingPolicyNamed(name)), setting }
    const order = Array.from(sampleOrder(setup), (page) => truth.urlOf(page))
    const isUncrawled = new Set(order)
    const { archive, snapshot: week } = web
    const told = { archive, week, log: split.training, seed: 1, seeksSitemaps: false }
    const crawl = new WorldCrawl({ ...told, scope: recordedScope(web) })
    const urls = Array.from(importance.order, (page) => truth.urlOf(page))
    await crawl.visit(
      urls.filter((url) => !isUncrawled.has(url)),
      (url) => importance.depths[truth.pageAt(url)!],
    )
    const fetched = (await crawl.spend(name, 80, { batch: 80 })).map(({ outcome }) => outcome.url)
    const missing = fetched.filter((url) => isUncrawled.has(url))
    expect(missing.length).toBeGreaterThan(50)
    // The real crawl fetches seeds first, and no host may have everything.
    const impacts = truth.impacts(split.testWeights, topVisibility(10))
    const gained = (some: readonly string[]) =>
      some.reduce((sum, url) => sum + impacts[truth.pageAt(url)!], 0)
    const byOrder = gained(order.slice(0, missing.length))
    expect(Math.abs(gained(missing) / byOrder - 1)).toBeLessThan(0.03)
  },
)
