import type { Archive } from '#archive/format/archive.ts'
import { MemoryStore } from '#crawl/memory-store.ts'
import type { Fetcher } from '#crawl/ports.ts'
import { WorldCrawl } from '#lab/worlds/world-crawl.ts'
import { crawlPolicy } from '#library/open/crawl-policy.ts'
import { UNIFIED } from '#policy/registry/policy-name.ts'
import type { Query } from '#workload/workload.ts'
import { everything, WeeklyJudge } from '../anchors/weekly-judge.ts'
import { rounded } from '../harness/cost.ts'
import { type FramedWeb, framedFetcher } from './framed-web.ts'
import { Informed } from './informed.ts'
import { needsScripts } from './scripted-web.ts'

export interface Simulation {
  readonly archive: Archive
  readonly queries: readonly Query[]
  readonly seed: number
  readonly budget: number
  /** What a rendering costs, in fetches. */
  readonly cost: number
}

/** A frame is found by links' words too, which who knows pages alone does not see: the best of several mixes counts. */
const CAUTIONS = [1, 1.5, 2, 3, 5]

/** The ways of the bench without a browser and in no time, and what could be had by whoever knows all pages before. */
export async function simulate(web: Simulation) {
  const { archive, queries } = web
  const last = archive.snapshotCount - 1
  const judge = new WeeklyJudge(archive, queries)
  const informed = new Informed(await everything(archive, last), queries)
  const qualityOf = async ({ index, state }: WorldCrawl) => {
    const addressOf = (url: number) => state.frontier.urls.urlOf(url)
    return rounded(await judge.qualityOf({ index, addressOf }, last))
  }
  const crawled = async (options: { render?: boolean; renderAll?: boolean }) => {
    const world = worldOf(web, { renders: options.render === true })
    const store = new MemoryStore()
    store.asked = queries.map((query) => ({ ...query, source: 'bench', synthetic: false }))
    const policy = await crawlPolicy(UNIFIED, { state: world.state, store }, world.now, options)
    const fetches = await world.spend(policy, web.budget)
    const rendered = fetches.filter(
      ({ outcome }) => outcome.kind === 'page' && outcome.rendering?.cost !== undefined,
    ).length
    return { quality: await qualityOf(world), rendered }
  }
  const knowing = async (caution: number) => {
    const isFrame = (address: string) => needsScripts(address, web.seed)
    const renders = Number.isFinite(caution)
    const frameCost = renders ? web.cost : Number.POSITIVE_INFINITY
    const costOf = (address: string) => (isFrame(address) ? frameCost : 1)
    const pages = informed.best(web.budget, costOf, caution)
    const chosen = new Set(pages.filter(isFrame))
    const world = worldOf(web, { renders, chosen })
    await world.visit(pages)
    // What is left is spent on frames: links' words alone find some.
    const left = web.budget - pages.length - chosen.size * (web.cost - 1)
    const held = new Set(pages)
    const free = (address: string) => (held.has(address) ? Number.POSITIVE_INFINITY : 1)
    await world.visit(informed.best(left, free))
    return { quality: await qualityOf(world), rendered: chosen.size }
  }
  const knowingNothing = await knowing(Number.POSITIVE_INFINITY)
  let best = knowingNothing
  for (const caution of CAUTIONS) {
    const found = await knowing(caution)
    if (found.quality > best.quality) best = found
  }
  return {
    nothing: await crawled({}),
    everything: await crawled({ render: true, renderAll: true }),
    worthwhile: await crawled({ render: true }),
    ...{ knowingNothing, knowing: best },
  }
}

function worldOf(web: Simulation, framed: Pick<FramedWeb, 'renders' | 'chosen'>): WorldCrawl {
  const { archive, queries: log, seed, cost } = web
  const fetchedBy = (open: () => Fetcher) => framedFetcher(open(), { seed, cost, ...framed })
  return new WorldCrawl({ archive, week: archive.snapshotCount - 1, log, seed, fetchedBy })
}
