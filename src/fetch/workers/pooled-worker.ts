import type { FetcherMemory, FetchRequest, HostState } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { Notice, Sender, WorkerBoard } from '../sender.ts'

const NOTHING: WorkerBoard = { requests: [] }

/** One worker of a pool, and what must be known of it should it end. */
export class PooledWorker {
  readonly sender: Sender
  /** Outcomes of it that were read. */
  reads = 0
  /** Predecessors that ended without an answer, one after the other. */
  vainStarts = 0
  hasAnswered = false
  isOutOfBytes = false
  /** How often it was told something, by its own count when it was last idle. */
  #told = 0
  #idleSince = 0
  /** Boards of the pool before its first one, and the latest that it knows of. */
  #postsBefore: number | undefined
  postsKnown = 0
  #board = NOTHING
  /** Of the board: sent or answered. */
  readonly #done = new Set<number>()
  /** Sent, and not answered. */
  readonly #unanswered = new Map<number, { readonly url: string; readonly cost: number }>()
  #memory: Partial<FetcherMemory>
  /** Hosts that asked to be left alone since then. */
  readonly #resting = new Map<string, HostState>()

  constructor(
    memory: Partial<FetcherMemory>,
    start: (hear: (notice: Notice) => void) => Sender,
    tell: (notice: Notice) => void,
  ) {
    this.#memory = memory
    this.sender = start((notice) => {
      this.#note(notice)
      tell(notice)
      if (notice.kind === 'answered') this.#unanswered.delete(notice.outcome.id)
    })
  }

  /** Whether no outcome of it will come unless it is told something. */
  get isIdle(): boolean {
    return this.#idleSince === this.#told
  }

  /** Gives it its part of the pool's latest board. */
  post(board: WorkerBoard, posts: number): void {
    this.#postsBefore ??= posts - 1
    this.#board = board
    this.#done.clear()
    this.#told++
    this.sender.post(board, this.reads)
  }

  tellReads(): void {
    this.#told++
    this.sender.read(this.reads)
  }

  /** What was paid for a request that is not answered; nothing if it was not sent. */
  paidFor(id: number): number {
    return this.#unanswered.get(id)?.cost ?? 0
  }

  /** What it must not forget; once it has ended, as far as that is known. */
  async memory(robotsSince?: number): Promise<FetcherMemory> {
    try {
      const memory = await this.sender.memory(robotsSince)
      const { hostStates, hostTrusts } = memory
      this.#memory = { hostStates, hostTrusts }
      this.#resting.clear()
      return memory
    } catch {
      const { hostStates = [], hostTrusts = [] } = this.#memory
      return { hostStates, hostTrusts, robotsRecords: [] }
    }
  }

  /** For whoever takes its place. */
  lastMemory(now: number): Partial<FetcherMemory> {
    const resting = [...this.#resting.values()].filter(({ backoffUntil }) => backoffUntil > now)
    const known = (this.#memory.hostStates ?? []).filter(({ host }) => !this.#resting.has(host))
    return { ...this.#memory, hostStates: [...known, ...resting] }
  }

  boardLeft(): WorkerBoard {
    const isLeft = ({ id }: FetchRequest) => !this.#done.has(id)
    return { ...this.#board, requests: this.#board.requests.filter(isLeft) }
  }

  /** What it had sent when it ended, once. */
  takeUnanswered(): { readonly id: number; readonly url: string; readonly cost: number }[] {
    const lost = Array.from(this.#unanswered, ([id, sent]) => ({ id, ...sent }))
    this.#unanswered.clear()
    return lost
  }

  #note(notice: Notice): void {
    switch (notice.kind) {
      case 'posted':
        this.postsKnown = (this.#postsBefore ?? 0) + notice.posts
        return
      case 'sent':
        this.#done.add(notice.id)
        this.#unanswered.set(notice.id, { url: notice.url, cost: notice.cost })
        return
      case 'answered':
        this.#done.add(notice.outcome.id)
        this.hasAnswered = true
        this.#noteRest(notice.outcome)
        return
      case 'idle':
        this.#idleSince = notice.told
        this.isOutOfBytes = notice.isOutOfBytes
    }
  }

  #noteRest(outcome: FetchOutcome): void {
    if (outcome.kind !== 'failed' || outcome.retryAfterSeconds === undefined) return
    const { at, retryAfterSeconds: backoffSeconds, reason } = outcome
    const until = at + backoffSeconds
    const host = hostOf(outcome.url)
    const times = { readyAt: until, backoffUntil: until, backoffSeconds }
    this.#resting.set(host, { host, ...times, failures: 0, reason })
  }
}
