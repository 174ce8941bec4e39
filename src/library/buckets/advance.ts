import { PHASES, type Phase, readJson } from '#repository/buckets/buckets-folder.ts'
import {
  BEGIN,
  CUT,
  type EpochCut,
  type EpochGoal,
  type LearnSums,
  latestEpoch,
  type OpenBuckets,
  ownUrls,
  PRICE,
  sumsOf,
} from './buckets-crawl.ts'
import { type Fetched, type FetchingPorts, fetchEpoch } from './fetch-epoch.ts'
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
  const { folder, crawl } = opened
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
    const next = await nextPhase(opened, epoch, crawl.buckets)
    const isOver = goal.spent >= limits.budget || epoch > (limits.epochs ?? Infinity)
    // What was fetched last is learnt in any case.
    if (next && (next === 'tell' || next === 'learn' || !isOver)) {
      const buckets = folder.lacking(epoch, next, crawl.buckets)
      return { kind: 'steps', epoch, phase: next, buckets }
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
function lostSteps({ folder, crawl }: OpenBuckets, epoch: number): Next | undefined {
  for (const phase of phasesOf(epoch, crawl.buckets).filter((phase) => WHAT_LASTS.has(phase))) {
    const buckets = folder.lacking(epoch, phase, crawl.buckets)
    if (buckets.length > 0) return { kind: 'steps', epoch, phase, buckets }
  }
  return undefined
}

const WHAT_LASTS: ReadonlySet<Phase> = new Set(['tell', 'learn'])

/** Nobody has anything to tell before the first fetches, or if there are no others. */
function phasesOf(epoch: number, buckets: number): readonly Phase[] {
  if (epoch < 1) return []
  return PHASES.filter((phase) => phase !== 'tell' || (epoch > 1 && buckets > 1))
}

/** The first phase that is not done; what couples buckets is worked out in between. */
async function nextPhase(
  opened: OpenBuckets,
  epoch: number,
  buckets: number,
): Promise<Phase | undefined> {
  const { folder } = opened
  for (const phase of phasesOf(epoch, buckets)) {
    if (folder.lacking(epoch, phase, buckets).length > 0) return phase
    folder.sweep(epoch, phase)
    if (phase === 'learn')
      await folder.makeJson(folder.ofEpoch(epoch, PRICE), () => priceOfContent(opened, epoch))
    if (phase === 'bid')
      await folder.makeJson(folder.ofEpoch(epoch, CUT), () => cutOfBids(opened, epoch))
  }
  return undefined
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
  await folder.makeJson(folder.ofEpoch(epoch, BEGIN), () => goal)
}
