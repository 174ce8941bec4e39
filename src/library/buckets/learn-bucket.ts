import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentGains } from '#crawl/buckets/bid.ts'
import { bucketOf } from '#crawl/buckets/bucket-of.ts'
import { digitCounts } from '#crawl/buckets/digits.ts'
import { draftBucket } from '#crawl/buckets/draft.ts'
import { destinations, type OwnBucket, toldLinks } from '#crawl/buckets/exchange.ts'
import { crawlState, planMaterial } from '#crawl/plan-cycle.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { URL_STATES, type UrlState } from '#frontier/urls/url-states.ts'
import { blockPageRank, type RankedBlock } from '#importance/block-pagerank.ts'
import { apply } from '#learn/apply.ts'
import type { Entry } from '#learn/entries/entry.ts'
import { hearLinks } from '#learn/hear-links.ts'
import { loadBucket, type StatePart, writeBucket } from '#repository/buckets/bucket-state.ts'
import { readJson } from '#repository/buckets/buckets-folder.ts'
import {
  writeContent,
  writeDraft,
  writeFound,
  writeValidators,
} from '#repository/buckets/draft-files.ts'
import { readExchange, readRankFlow, writeExchange } from '#repository/buckets/exchange-files.ts'
import { readOutcomes } from '#repository/buckets/outcome-files.ts'
import { openInMemory } from '#repository/buckets/tables-in-memory.ts'
import { readTypedColumns, writeTypedColumns } from '#repository/buckets/typed-columns.ts'
import { crawlPolicy } from '../open/crawl-policy.ts'
import { planRules } from '../plan/plan-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { BEGIN, type EpochGoal, type LearnSums, type OpenBuckets, SUMS } from './buckets-crawl.ts'

const RANKS = 'rank.parquet'
const RANK_FLOW = 'rank-flow.parquet'
const EXCHANGE = 'exchange.parquet'

/**
 * The first phase of an epoch, for one bucket: takes up what was fetched and what others told, and drafts what may be
 * fetched next. Reads what earlier epochs made, and fills a folder.
 */
export async function learnBucket(
  { folder, crawl, ownOf }: OpenBuckets,
  epoch: number,
  bucket: number,
  draftFolder: string,
): Promise<void> {
  const { dir } = folder
  const goal = readJson<EpochGoal>(folder.ofEpoch(epoch, BEGIN))
  const { at, budget, affords, spent, bytes } = goal
  const before = epoch > 1 ? folder.partOf(epoch - 1, 'learn', bucket) : undefined
  const others = Array.from({ length: epoch > 1 ? crawl.buckets : 0 }, (_, b) => b)
  const told = (file: string) =>
    others
      .filter((b) => b !== bucket)
      .map((b) => join(folder.partOf(epoch - 1, 'learn', b), file))
      .filter(existsSync)
  const sumsBefore = before ? readJson<LearnSums>(join(before, SUMS)) : undefined
  const parts = sumsBefore?.parts ?? []
  using tables = await openInMemory()
  const { connection } = tables
  const stored = await loadBucket(connection, dir, parts, ownOf(bucket))
  const { frontier, lessons } = stored
  const inflow = await readRankFlow(connection, told(RANK_FLOW), bucket, frontier.size)
  const state = crawlState(frontier, { lessons, cycle: epoch - 1, spent, bytes })
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
  const outcomes = await readOutcomes(folder.ofEpoch(epoch, 'outcomes'), bucket)
  const destsBefore = destinations(
    outcomes.fetches.map(({ outcome }) => outcome.id),
    frontier,
    own,
  )
  for (const fetch of outcomes.fetches) learn({ kind: 'fetch', ...fetch })
  const ended = apply({ kind: 'end', cycle: epoch, at }, state)
  const knownThen = frontier.size
  const heard = hearLinks(await readExchange(connection, told(EXCHANGE), bucket, at), state)
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
  const newUrls = range(stored.stored.urls, knownThen)
  const tells = toldLinks(ended.fetches, destsBefore, newUrls, frontier, own)
  await writeExchange(connection, tells, join(draftFolder, EXCHANGE))
  const ranksBefore = before ? await ranksIn(connection, before) : new Float64Array(0)
  const ranked = rankBlock(frontier, goal, ranksBefore, inflow, sumsBefore?.dangling ?? 0)
  await writeRanks(connection, ranked, frontier, own, draftFolder)
  frontier.ranks = ranked.ranks.map((rank) => (rank * goal.rank.urls) / frontier.size)
  // What may be fetched next.
  const settings = crawl.settings as Settings
  const store = {
    queries: async () => [],
    madeUpQueries: async () => [],
    lastPrice: async () => price,
    setting: async () => undefined,
  }
  const policy = await crawlPolicy(settings.policy, { state, store }, at, settings)
  await policy.renew()
  const rules = { policy, ...planRules(settings) }
  const material = planMaterial(state, rules, { budget, affords }, at)
  const { draft, found, isPriced } = draftBucket(policy, material, frontier)
  await writeDraft(connection, draft, frontier.urls.hashes(), draftFolder)
  if (found) await writeFound(connection, found, draftFolder)
  await writeValidators(connection, draft.urls, frontier, draftFolder)
  const content = isPriced ? contentGains(draft) : new Float64Array(0)
  await writeContent(connection, content, draftFolder)
  const sums: LearnSums = {
    parts: partsNow,
    ...countsOf(frontier),
    known: frontier.size,
    links: frontier.links.size,
    dangling: ranked.dangling,
    told: tells.length,
    ...{ isPriced, knowsLinks: found !== undefined, candidates: draft.urls.length },
    content: digitCounts(content),
  }
  writeFileSync(join(draftFolder, SUMS), `${JSON.stringify(sums)}\n`)
}
