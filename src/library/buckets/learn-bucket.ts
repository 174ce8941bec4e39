import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentGains } from '#crawl/buckets/bid.ts'
import { countedGains } from '#crawl/buckets/counted-gains.ts'
import { draftBucket } from '#crawl/buckets/draft.ts'
import { knownLinks, type OwnBucket, ownBucket } from '#crawl/buckets/exchange.ts'
import { crawlState, planMaterial } from '#crawl/plan-cycle.ts'
import { readAsSitemapOnly } from '#crawl/read-as-sitemap-only.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { URL_STATES, type UrlState } from '#frontier/urls/url-states.ts'
import { blockPageRank, giftOf, type RankedBlock, takeFlow } from '#importance/block-pagerank.ts'
import { apply } from '#learn/apply.ts'
import type { Entry } from '#learn/entries/entry.ts'
import type { TakenLinks } from '#learn/hear-links.ts'
import type { Csr } from '#numeric/csr.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { byGivenRanks } from '#policy/orders/given-ranks.ts'
import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import type { Composition } from '#policy/planning/composition.ts'
import { policyNamed } from '#policy/registry/policy-name.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import { loadBucket, writeBucket } from '#repository/buckets/bucket-state.ts'
import { type Phase, readJson } from '#repository/buckets/buckets-folder.ts'
import {
  RANKS,
  writeContent,
  writeDraft,
  writeFound,
  writeLinked,
  writeValidators,
} from '#repository/buckets/draft-files.ts'
import { readExchange, readRankFlow } from '#repository/buckets/exchange-files.ts'
import { readOutcomes } from '#repository/buckets/outcome-files.ts'
import { openInMemory, type TablesInMemory } from '#repository/buckets/tables-in-memory.ts'
import { readTypedColumns, writeTypedColumns } from '#repository/buckets/typed-columns.ts'
import { crawlPolicy } from '../open/crawl-policy.ts'
import { planRules } from '../plan/plan-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { BucketQueries } from './bucket-queries.ts'
import {
  BEGIN,
  type EpochGoal,
  EXCHANGE,
  type LearnSums,
  type OpenBuckets,
  OUTCOMES,
  SUMS,
} from './buckets-crawl.ts'
import {
  COPIES,
  copyTally,
  judgeByAll,
  ratesPath,
  type SharedCopies,
  sampledRates,
  spreadAsAll,
} from './copies.ts'
import { weighsCopies } from './query-files.ts'

/** What links are worth nobody can tell yet. */
function withoutLinks({ bidders: { acquire, refresh }, ...rest }: Composition): Composition {
  return { ...rest, bidders: { acquire, refresh } }
}

const RANK_FLOW = 'rank-flow.parquet'

/**
 * The main phase of an epoch, for one bucket: takes up what was fetched and what others told, and drafts what may be
 * fetched next. Reads what earlier epochs made, and fills a folder.
 */
export async function learnBucket(
  opened: OpenBuckets,
  epoch: number,
  bucket: number,
  draftFolder: string,
): Promise<void> {
  const { folder, crawl, ownOf } = opened
  const { dir } = folder
  const goal = readJson<EpochGoal>(folder.ofEpoch(epoch, BEGIN))
  const { at, budget, affords, spent, bytes } = goal
  const before = epoch > 1 ? folder.partOf(epoch - 1, 'learn', bucket) : undefined
  const others = Array.from({ length: epoch > 1 ? crawl.buckets : 0 }, (_, b) => b)
  const ofOthers = (when: number, phase: Phase, file: string) =>
    others
      .filter((b) => b !== bucket)
      .map((b) => join(folder.partOf(when, phase, b), file))
      .filter(existsSync)
  const sumsBefore = before ? readJson<LearnSums>(join(before, SUMS)) : undefined
  const parts = sumsBefore?.parts ?? []
  using tables = await openInMemory()
  const { connection } = tables
  const copies = weighsCopies(opened)
    ? readJson<SharedCopies | null>(folder.ofEpoch(epoch, COPIES))
    : undefined
  const stored = await loadBucket(connection, dir, parts, ownOf(bucket), (lessons) => {
    if (copies) judgeByAll(copies, lessons)
  })
  const { frontier, lessons } = stored
  const flows = ofOthers(epoch - 1, 'learn', RANK_FLOW)
  const inflow = await readRankFlow(connection, flows, bucket, frontier.size)
  const byQueries = BucketQueries.in(opened, epoch, before, draftFolder)
  const index = byQueries?.index
  const state = crawlState(frontier, { lessons, cycle: epoch - 1, spent, bytes, index })
  const own = ownBucket(frontier, bucket, crawl.buckets)
  const learn = (entry: Entry) => apply(entry, state)
  const { seeds, scope } = crawl
  if (epoch === 1) {
    const isHere = ownOf(bucket)
    learn({ kind: 'rules', scope, seeds: seeds.filter((seed) => isHere(domainOf(seed))) })
    learn({ kind: 'run', at, queries: [] })
  }
  learn({ kind: 'rules', scope, seeds })
  // What was fetched since the last plan.
  const outcomes = await readOutcomes(folder.ofEpoch(epoch, OUTCOMES), bucket)
  for (const fetch of outcomes.fetches) {
    const outcome = readAsSitemapOnly(fetch.outcome, frontier, state.scope)
    learn({ kind: 'fetch', ...fetch, outcome })
  }
  const told = ofOthers(epoch, 'tell', EXCHANGE)
  const heard = apply(await readExchange(connection, told, bucket, at), state)
  const gains = weighsCopies(opened) ? byQueries?.gainsOf(state.learnt, frontier) : undefined
  const ended = apply({ kind: 'end', cycle: epoch, at, ...(gains && { gains }) }, state)
  const { startedAt = at, planned = 0, price } = outcomes
  const record = { cycle: epoch, startedAt, endedAt: at, planned, price, ...ended }
  const name = folder.partOf(epoch, 'learn', bucket).slice(dir.length + 1)
  const partsNow = await writeBucket(
    connection,
    { state: stored, record, heard },
    parts,
    draftFolder,
    name,
  )
  const ranksBefore = before ? await ranksIn(connection, before) : new Float64Array(0)
  const links = frontier.links.toCsr(frontier.size)
  const ranked = rankBlock(frontier, links, goal, ranksBefore, inflow, heard)
  await writeRanks(connection, ranked, frontier, own, draftFolder)
  // What may be fetched next.
  const settings = crawl.settings as Settings
  const store = {
    queries: async () => [],
    madeUpQueries: async () => [],
    lastPrice: async () => price,
    setting: async () => undefined,
  }
  const registry = REGISTRY.with([
    byGivenRanks(ranked.ranks),
    ...(byQueries ? [byQueries.bidder(frontier, ranked.ranks)] : []),
  ])
  frontier.addresses.judgeBy(goal.hosts)
  if (copies) spreadAsAll(copies, lessons.histories, frontier.urls.hashes().low)
  const views = weighsCopies(opened) ? byQueries?.views(frontier) : undefined
  const held = copies?.totals.held
  const policy = views
    ? new BudgetPlanner({
        ...{ composition: withoutLinks(policyNamed(settings.policy, registry)), lessons },
        ...{ freshForSeconds: settings.freshFor, views: () => views, isUncorrected: true },
        copies: held && { ...held, views: views.all },
      })
    : await crawlPolicy(settings.policy, { state, store }, at, { ...settings, registry })
  await policy.renew()
  const rules = { policy, ...planRules(settings) }
  const material = planMaterial(state, rules, { budget, affords }, at)
  const { draft, found, isPriced } = draftBucket(policy, material, frontier)
  await writeDraft(connection, draft, frontier.urls.hashes(), draftFolder)
  if (found) await writeFound(connection, found, draftFolder)
  await writeValidators(connection, draft.urls, frontier, draftFolder)
  const { offsets } = links
  const mayBeTold = crawl.buckets > 1 ? draft.urls : []
  const linked = knownLinks(mayBeTold, frontier, own, (url) => offsets[url + 1] - offsets[url])
  await writeLinked(connection, linked, draftFolder)
  await byQueries?.write(connection, frontier, draftFolder)
  const isNamed = (url: number) => byQueries?.isNamed(url) === true
  const content = isPriced ? contentGains(draft, isNamed) : new Float64Array(0)
  if (weighsCopies(opened))
    writeFileSync(ratesPath(draftFolder), sampledRates(lessons, frontier, at))
  await writeContent(connection, content, draftFolder)
  const sums: LearnSums = {
    parts: partsNow,
    ...countsOf(frontier),
    known: frontier.size,
    links: frontier.links.size,
    dangling: ranked.dangling,
    hosts: frontier.addresses.tally,
    ...(weighsCopies(opened) && { copies: copyTally(lessons, frontier, at) }),
    ...{ isPriced, knowsLinks: found !== undefined, candidates: draft.urls.length },
    content: countedGains(content),
  }
  writeFileSync(join(draftFolder, SUMS), `${JSON.stringify(sums)}\n`)
}

function domainOf(url: string): string {
  return registrableDomain(hostOf(url))
}

/** How many of a bucket's own URLs are in each state. */
function countsOf(frontier: Frontier): Pick<LearnSums, 'states'> {
  const states = Object.fromEntries(URL_STATES.map((state) => [state, 0])) as Record<
    UrlState,
    number
  >
  for (let url = 0; url < frontier.size; url++)
    if (!frontier.foreign.has(url)) states[frontier.stateOf(url)]++
  return { states }
}

async function ranksIn(
  connection: TablesInMemory['connection'],
  folder: string,
): Promise<Float64Array> {
  const { columns } = await readTypedColumns(connection, join(folder, RANKS))
  return columns.rank as Float64Array
}

/** PageRank of a bucket, from where it was left; URLs that are new begin with that of the average. */
function rankBlock(
  frontier: Frontier,
  links: Csr,
  { rank }: EpochGoal,
  ranksBefore: Float64Array,
  inflowBefore: Float64Array,
  heard: readonly TakenLinks[],
): RankedBlock {
  const { size, foreign } = frontier
  const isForeign = (url: number) => foreign.has(url)
  const ranks = new Float64Array(size)
  ranks.set(ranksBefore)
  for (let url = ranksBefore.length; url < size; url++) ranks[url] = isForeign(url) ? 0 : 1
  const inflow = new Float64Array(size)
  inflow.set(inflowBefore)
  // What other buckets counted when they last told has no part yet of pages that were fetched since.
  takeFlow(inflow, heard, links)
  const gift = giftOf(rank.urls, rank.dangling)
  return blockPageRank({ links, isForeign, ranks, inflow, gift })
}

async function writeRanks(
  connection: TablesInMemory['connection'],
  { ranks, outflow }: RankedBlock,
  frontier: Frontier,
  { bucketOfHost }: OwnBucket,
  folder: string,
): Promise<void> {
  await writeTypedColumns(connection, { rank: ranks }, join(folder, RANKS))
  const hosts = frontier.urls.hosts()
  const { low, high } = frontier.urls.hashes()
  const urls = Uint32Array.from(outflow.keys()).filter((url) => outflow[url] > 0)
  const dest = urls.map((url) => bucketOfHost(hosts[url]))
  const order = Uint32Array.from(urls.keys()).sort((a, b) => dest[a] - dest[b] || a - b)
  const words = new Uint32Array(2 * urls.length)
  order.forEach((place, i) => {
    words[2 * i] = low[urls[place]]
    words[2 * i + 1] = high[urls[place]]
  })
  const columns = {
    dest: order.map((place) => dest[place]),
    hash: new BigInt64Array(words.buffer),
    mass: Float64Array.from(order, (place) => outflow[urls[place]]),
  }
  await writeTypedColumns(connection, columns, join(folder, RANK_FLOW))
}
