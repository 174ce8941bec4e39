import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PHASES, type Phase, readJson } from '#repository/buckets/buckets-folder.ts'
import {
  BEGIN,
  CUT,
  type EpochCut,
  type EpochGoal,
  type LearnSums,
  latestEpoch,
  type OpenBuckets,
  OUTCOMES,
  ownUrls,
  PRICE,
  SUMS,
  sumsOf,
} from './buckets-crawl.ts'
import { shareCopies } from './copies.ts'
import { type Fetched, type FetchingPorts, fetchEpoch } from './fetch-epoch.ts'
import { goesByQueries, weighsCopies } from './query-files.ts'
import { shareAnswers, shareFacts, shareValues } from './share-queries.ts'
import { cutOfBids, priceOfContent } from './steps.ts'

/** How far a crawl in buckets may go. */
export interface EpochLimits {
  /** Fetches in all. */
  readonly budget: number
  /** Fetches of one epoch. */
  readonly batch: number
  /** Epochs in all; without end if left out. */
  readonly epochs?: number
}

/** Steps that can be made now, in any order and anywhere; or why there are none. */
export type Next =
  | {
      readonly kind: 'steps'
      readonly epoch: number
      readonly phase: Phase
      readonly buckets: readonly number[]
    }
  | { readonly kind: 'end'; readonly epoch: number; readonly why: EpochsEnd }

export type EpochsEnd = 'budget spent' | 'nothing left to fetch' | 'enough epochs' | 'stopped'

/**
 * Does whatever is not for buckets to do, until steps are to be made or there is an end. How far a crawl has come is told
 * by its files alone: whoever asks next, after whatever happened, goes on from there.
 */
export async function advance(
  opened: OpenBuckets,
  limits: EpochLimits,
  ports: FetchingPorts,
): Promise<Next> {
  const { folder } = opened
  for (;;) {
    const epoch = latestEpoch(opened)
    for (const one of [epoch, epoch + 1]) folder.sweep(one)
    if (ports.signal?.aborted) return { kind: 'end', epoch, why: 'stopped' }
    if (epoch === 0) {
      await begin(opened, 1, ports.web.clock.now(), limits, { spent: 0, bytes: 0 })
      continue
    }
    const goal = readJson<EpochGoal>(folder.ofEpoch(epoch, BEGIN))
    // After a power cut what the epoch before has learnt may have to be made again.
    const lost = lostSteps(opened, epoch - 1)
    if (lost) return lost
    const next = await nextPhase(opened, epoch)
    const isOver = goal.spent >= limits.budget || epoch > (limits.epochs ?? Infinity)
    // What was fetched last is learnt in any case.
    if (next && (next === 'tell' || next === 'learn' || !isOver)) {
      return { kind: 'steps', epoch, phase: next, buckets: lackingIn(opened, epoch, next) }
    }
    if (isOver) {
      const why = goal.spent >= limits.budget ? 'budget spent' : 'enough epochs'
      return { kind: 'end', epoch, why }
    }
    const { planned } = readJson<EpochCut>(folder.ofEpoch(epoch, CUT))
    if (planned === 0 && goal.budget > 0)
      return { kind: 'end', epoch, why: 'nothing left to fetch' }
    const fetched = await fetchEpoch(opened, epoch, ports)
    if (!fetched) return { kind: 'end', epoch, why: 'stopped' }
    await begin(opened, epoch + 1, ports.web.clock.now(), limits, {
      spent: goal.spent + fetched.spent,
      bytes: goal.bytes + fetched.bytes,
    })
  }
}

/** What an epoch has made for those after it, as far as it is not there any more. */
function lostSteps(opened: OpenBuckets, epoch: number): Next | undefined {
  for (const phase of epoch > 0 ? (['tell', 'learn'] as const) : []) {
    const buckets = lackingIn(opened, epoch, phase)
    if (buckets.length > 0) return { kind: 'steps', epoch, phase, buckets }
  }
  return undefined
}

/** The buckets of a phase that are to be made; only those have something to tell of which something was fetched. */
function lackingIn({ folder, crawl }: OpenBuckets, epoch: number, phase: Phase): number[] {
  const lacking = folder.lacking(epoch, phase, crawl.buckets)
  if (phase !== 'tell') return lacking
  const isTold = crawl.buckets > 1 || goesByQueries({ crawl })
  const outcomes = folder.ofEpoch(epoch, join(OUTCOMES, SUMS))
  const fetched = existsSync(outcomes) ? readJson<Fetched>(outcomes).buckets : []
  return isTold ? lacking.filter((bucket) => fetched.includes(bucket)) : []
}

/** The first phase that is not done; what couples buckets is worked out in between. */
async function nextPhase(opened: OpenBuckets, epoch: number): Promise<Phase | undefined> {
  const { folder } = opened
  for (const phase of PHASES) {
    if (lackingIn(opened, epoch, phase).length > 0) return phase
    folder.sweep(epoch, phase)
    if (goesByQueries(opened)) await shareAfter(opened, epoch, phase)
    if (phase === 'learn')
      await folder.makeJson(folder.ofEpoch(epoch, PRICE), () => priceOfContent(opened, epoch))
    if (phase === 'bid')
      await folder.makeJson(folder.ofEpoch(epoch, CUT), () => cutOfBids(opened, epoch))
  }
  return undefined
}

/** What plans by queries need of all buckets between phases. */
async function shareAfter(opened: OpenBuckets, epoch: number, phase: Phase): Promise<void> {
  if (phase === 'tell') await shareAnswers(opened, epoch)
  if (phase === 'learn') await shareValues(opened, epoch)
}

async function begin(
  opened: OpenBuckets,
  epoch: number,
  at: number,
  { budget, batch }: EpochLimits,
  { spent, bytes }: Pick<Fetched, 'spent' | 'bytes'>,
): Promise<void> {
  const { folder } = opened
  const left = Math.max(0, budget - spent)
  const before = epoch > 1 ? sumsOf<LearnSums>(opened, epoch - 1, 'learn') : []
  const all = (of: (one: LearnSums) => number) => before.reduce((sum, one) => sum + of(one), 0)
  const goal: EpochGoal = {
    ...{ epoch, at, spent, bytes },
    budget: Math.min(batch, left),
    affords: left,
    rank: { urls: all(ownUrls), dangling: all(({ dangling }) => dangling) },
    hosts: {
      found: all(({ hosts }) => hosts.found),
      missing: all(({ hosts }) => hosts.missing),
      firstFound: all(({ hosts }) => hosts.firstFound),
      firstMissing: all(({ hosts }) => hosts.firstMissing),
    },
  }
  if (goesByQueries(opened)) await shareFacts(opened, epoch, spent)
  if (weighsCopies(opened)) await shareCopies(opened, epoch)
  await folder.makeJson(folder.ofEpoch(epoch, BEGIN), () => goal)
}
