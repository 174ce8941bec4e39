import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bidBucket } from '#crawl/buckets/bid.ts'
import { countedGains, soughtGain } from '#crawl/buckets/counted-gains.ts'
import { type Draft, LEVELS } from '#crawl/buckets/draft.ts'
import { HORIZON_DAYS } from '#policy/budget/one-currency.ts'
import { type Phase, readJson } from '#repository/buckets/buckets-folder.ts'
import {
  findGain,
  readDraft,
  readFound,
  writeBids,
  writePlan,
} from '#repository/buckets/draft-files.ts'
import { unpacked } from '#repository/buckets/packed-columns.ts'
import { openInMemory } from '#repository/buckets/tables-in-memory.ts'
import {
  BEGIN,
  type BidSums,
  type ContentPrice,
  CUT,
  type EpochCut,
  type EpochGoal,
  type LearnSums,
  type OpenBuckets,
  PRICE,
  SUMS,
  sumsOf,
} from './buckets-crawl.ts'
import { EpochQueries } from './epoch-queries.ts'
import { learnBucket } from './learn-bucket.ts'
import { goesByQueries, VALUED, weighsCopies } from './query-files.ts'
import { tellBucket } from './tell-bucket.ts'

/** One step: what a phase makes of one bucket, from files into a folder. If that is there, nothing is done. */
export async function runStep(
  opened: OpenBuckets,
  epoch: number,
  phase: Phase,
  bucket: number,
): Promise<void> {
  const { folder } = opened
  await folder.make(folder.partOf(epoch, phase, bucket), (draft) =>
    STEPS[phase](opened, epoch, bucket, draft),
  )
}

type Step = (opened: OpenBuckets, epoch: number, bucket: number, draft: string) => Promise<void>

const STEPS: Readonly<Record<Phase, Step>> = {
  tell: tellBucket,
  learn: learnBucket,
  bid: bidOfBucket,
  cut: cutBucket,
}

/** The phase after learning: bids at the price of content, from the draft alone. */
async function bidOfBucket(
  opened: OpenBuckets,
  epoch: number,
  bucket: number,
  into: string,
): Promise<void> {
  const { folder, crawl } = opened
  const learnt = folder.partOf(epoch, 'learn', bucket)
  const { knowsLinks } = readJson<LearnSums>(join(learnt, SUMS))
  const { price } = readJson<ContentPrice>(folder.ofEpoch(epoch, PRICE))
  const { budget } = readJson<EpochGoal>(folder.ofEpoch(epoch, BEGIN))
  using tables = await openInMemory()
  const { draft, hashes } = await readDraft(tables.connection, learnt)
  const found = knowsLinks ? await readFound(tables.connection, learnt) : undefined
  if (goesByQueries(opened)) takeValues(opened, epoch, bucket, draft)
  const { seed } = crawl.settings
  const bids = bidBucket(draft, { price, found, hashes, seed, most: budget })
  await writeBids(tables.connection, bids, into)
  const sums: BidSums = {
    ...{ bids: bids.places.length, best: bids.gains[0], gains: countedGains(bids.gains) },
  }
  writeFileSync(join(into, SUMS), `${JSON.stringify(sums)}\n`)
}

/** What queries ask for is worth what the better ones of all buckets leave of it. */
function takeValues(opened: OpenBuckets, epoch: number, bucket: number, draft: Draft): void {
  const horizon = weighsCopies(opened) ? HORIZON_DAYS : 1
  const { buckets } = new EpochQueries(opened, epoch).get('values')
  const { url, value } = unpacked<Record<'url' | 'value', Uint32Array | Float64Array>>(
    buckets[bucket],
  )
  const values = new Map(Array.from(url, (number, row) => [number, value[row]]))
  draft.urls.forEach((number, place) => {
    const value = values.get(number)
    // What nobody searches for, as sitemaps, is worth nothing by whatever words.
    if (draft.level[place] === LEVELS.bid && value !== undefined && draft.acquire[place] > 0)
      draft.acquire[place] = value * horizon
  })
}

/** The last phase: what lies above the cut, with all that it takes to fetch it. */
async function cutBucket(
  { folder }: OpenBuckets,
  epoch: number,
  bucket: number,
  into: string,
): Promise<void> {
  const learnt = folder.partOf(epoch, 'learn', bucket)
  const { parts } = readJson<LearnSums>(join(learnt, SUMS))
  const { last } = readJson<EpochCut>(folder.ofEpoch(epoch, CUT))
  const bid = folder.partOf(epoch, 'bid', bucket)
  const { best } = readJson<BidSums>(join(bid, SUMS))
  if (best === undefined || (last && best < last.value)) return // nothing is planned here
  const urls = parts.map(({ path }) => join(folder.dir, path, 'url.parquet')).filter(existsSync)
  using tables = await openInMemory()
  await writePlan(tables.connection, { learnt, bid, urls }, last, into)
}

/** What couples the buckets after they have learnt: the price of content that all fetches to come can afford. */
export async function priceOfContent(opened: OpenBuckets, epoch: number): Promise<ContentPrice> {
  const { folder } = opened
  const { affords } = readJson<EpochGoal>(folder.ofEpoch(epoch, BEGIN))
  const sums = sumsOf<LearnSums>(opened, epoch, 'learn')
  const counted = sums.map(({ content }) => content)
  if (weighsCopies(opened)) {
    const { content } = new EpochQueries(opened, epoch).get('values')
    if (content !== undefined) counted.push(content)
  }
  const sought = soughtGain(counted, affords)
  const found = sought && (await gainSought(opened, epoch, 'content', sought))
  // As in a plan of one bucket: where all can be afforded, the last costs nothing.
  const all = sums.reduce((sum, { candidates }) => sum + candidates, 0)
  return { price: found && affords < all ? found.value : 0 }
}

/** And after they have bid: the last bid that the epoch's budget affords. */
export async function cutOfBids(opened: OpenBuckets, epoch: number): Promise<EpochCut> {
  const { folder } = opened
  const { budget } = readJson<EpochGoal>(folder.ofEpoch(epoch, BEGIN))
  const sums = sumsOf<BidSums>(opened, epoch, 'bid')
  const planned = sums.reduce((sum, { bids }) => sum + bids, 0)
  const sought = soughtGain(
    sums.map(({ gains }) => gains),
    budget,
  )
  if (sought === undefined || budget > planned) return { planned }
  return { planned: budget, last: await gainSought(opened, epoch, 'bids', sought) }
}

async function gainSought(
  opened: OpenBuckets,
  epoch: number,
  kind: 'content' | 'bids',
  sought: NonNullable<ReturnType<typeof soughtGain>>,
) {
  const { folder, crawl } = opened
  const phase = kind === 'content' ? 'learn' : 'bid'
  const folders = Array.from({ length: crawl.buckets }, (_, bucket) =>
    folder.partOf(epoch, phase, bucket),
  )
  if (kind === 'content' && weighsCopies(opened)) folders.push(folder.ofEpoch(epoch, VALUED))
  using tables = await openInMemory()
  return await findGain(tables.connection, kind, folders, sought)
}
