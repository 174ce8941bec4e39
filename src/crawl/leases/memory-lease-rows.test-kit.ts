import { type Batch, type BatchName, EPOCHS_A_TABLE, type KnownWorker } from './leases.ts'

type State = 'queued' | 'leased' | 'ended'

export interface QueuedBatch extends Omit<Batch, 'address'>, BatchName {
  address: string
  state: State
  opened: number
  readonly done: boolean[]
  doneCount: number
}

export interface HeldBatch {
  readonly batch: QueuedBatch
  readonly token: number
  readonly worker: SeenWorker
  readonly turn: number
}

export interface SeenWorker {
  readonly name: string
  readonly since: number
  seen: number
  until: number
  done: number
  /** Addresses it has a place at, and in which turn it last asked for that. */
  readonly at: Map<string, number>
}

/** What whoever is next at a domain must know. */
export interface Rest {
  readyAt: number
  hosts: string
  keptUntil: number
}

export function tableOf(epoch: number): number {
  return Math.floor(epoch / EPOCHS_A_TABLE)
}

/** What a domain takes in so many seconds. */
export function firstWindow({ size, restSeconds }: Batch, seconds: number): number {
  if (seconds <= 0) return 0
  return restSeconds <= 0 ? size : Math.max(1, Math.ceil(Math.min(seconds / restSeconds, size)))
}

/** Each once. */
export function ascending(positions: readonly number[]): number[] {
  return [...new Set(positions)].sort((a, b) => a - b)
}

/** The latest first. */
export function knownWorkers(
  workers: readonly SeenWorker[],
  held: readonly HeldBatch[],
  now: number,
): KnownWorker[] {
  return workers
    .toSorted((a, b) => b.since - a.since || (a.name < b.name ? -1 : 1))
    .map(({ name, since, seen, until, done }) => ({
      ...{ name, done, ageSeconds: now - since, silentSeconds: now - seen, isLost: until <= now },
      leases: held.filter(({ worker }) => worker.name === name).length,
    }))
}
