import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, FetchRequest } from '#crawl/ports.ts'
import type { Crawl } from '../crawl.ts'
import type { HandOut } from '../hand-out/hand-out.ts'
import { type HandedOutCrawl, openHandOut } from '../hand-out/open-hand-out.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { liveClock } from '../open/live-clock.ts'
import { nextDue } from '../service/next-due.ts'
import { type CrawlOptions, settingsFrom } from '../settings/crawl-options.ts'
import { HandOutPace } from './hand-out-pace.ts'
import { ToldWhenDue } from './told-when-due.ts'
import type { UrlLedger } from './url-ledger.ts'

/** A budget that is not said is one that is never spent. */
const ENDLESS = 1e9

/** A crawl that plans while others fetch. */
export interface RunningPlan extends HandedOutCrawl {
  /** The queue of a URL: as clients say, else its host. */
  queueOf(url: string): string
  /** Seconds that a queue rests after a retrieval. */
  delayOf(queue: string): number
  /** A client told of a URL that may be fetched from then on. */
  tell(url: string, due: number): void
  /** Waits until what was told is planned, if that takes no longer than so many milliseconds. */
  planned(ms: number): Promise<void>
}

/** Opens a crawl, or goes on with it, and plans what clients may fetch. */
export async function openRunningPlan(
  options: CrawlOptions,
  ledger: UrlLedger,
  note: NoteListener,
): Promise<RunningPlan> {
  const clock = liveClock()
  const { settings } = settingsFrom(options)
  const told = new ToldWhenDue(() => clock.now())
  const queueOf = (url: string) => ledger.of(url)?.key ?? new URL(url).host
  const delayOf = (queue: string) => Math.max(settings.delay, ledger.rulesOf(queue).delay ?? 0)
  const plans = new Plans()
  let pace: HandOutPace | undefined
  const opened = await openHandOut({ budget: ENDLESS, ...options }, note, {
    ...{ clock, told },
    handOut: {
      ...{ queueOf, keepsLeases: true },
      isHeldBack: (url) => isHeldBack(url, queueOf(url), ledger, clock.now()),
      inOrder: (queue) => datedInOrder(queue, ledger),
    },
    pace: ({ settings: { budget, freshFor }, opened: { state } }) => {
      const due = (now: number) => nextDue(state.frontier, now, freshFor)
      pace = new HandOutPace({
        ...{ clock, budget, nextDue: (now) => Math.min(due(now), told.nextDue()) },
      })
      return pace
    },
    begin: (crawl, handOut) => takeUpWhere(crawl, handOut, ledger, { clock, told, delayOf }),
    on: {
      planned: () => plans.note(),
      outcome: ({ url }) => ledger.settle(url, clock.now()),
    },
  })
  const { handOut, crawl, ended } = opened
  const isBehind = () =>
    told.hasDue() || plans.count === 0 || (handOut.isEmpty && pace?.isWaiting === false)
  return {
    ...{ crawl, handOut, ended, queueOf, delayOf },
    get isOver() {
      return opened.isOver
    },
    tell: (url, due) => {
      if (crawl.knows(url)) return
      told.add(url, due)
      pace?.wake()
    },
    planned: async (ms) => {
      const until = performance.now() + ms
      while (isBehind() && !opened.isOver && performance.now() < until) {
        if (told.hasDue()) handOut.wake()
        pace?.wake()
        await plans.next(until - performance.now(), ended)
      }
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

/** Counts plans, and lets others wait for the next. */
class Plans {
  count = 0
  #next = Promise.withResolvers<void>()

  note(): void {
    this.count++
    this.#next.resolve()
    this.#next = Promise.withResolvers()
  }

  /** Until the next one, the end of the run, or for so long. */
  async next(ms: number, ended: Promise<unknown>): Promise<void> {
    const over = new AbortController()
    const time = sleep(ms, undefined, { signal: over.signal }).catch(() => {})
    await Promise.race([this.#next.promise, ended.catch(() => {}), time])
    over.abort()
  }
}

interface TakingUp {
  readonly clock: Clock
  readonly told: ToldWhenDue
  readonly delayOf: (queue: string) => number
}

/** What was out before a restart still is, queues rest as long as they would have, and what no plan knows of is told again. */
function takeUpWhere(
  crawl: Crawl,
  handOut: HandOut,
  ledger: UrlLedger,
  { clock, told, delayOf }: TakingUp,
): void {
  const now = clock.now()
  const { urls } = crawl.opened.state.frontier
  for (const url of ledger.held()) {
    const id = urls.find(url)
    const { heldUntil } = ledger.of(url)!
    if (id !== undefined) handOut.resume({ id, url, priority: 0 }, heldUntil)
  }
  for (const [queue, at] of ledger.touched()) {
    const left = at + delayOf(queue) - now
    if (left > 0) handOut.rest(queue, left)
  }
  for (const [url, { due }] of ledger.urls())
    if (due > 0 && urls.find(url) === undefined) told.add(url, due)
}

/** What clients want left alone: done, not due, of a queue that is blocked, full or deleted. */
function isHeldBack(url: string, queue: string, ledger: UrlLedger, now: number): boolean {
  const known = ledger.of(url)
  if (known ? known.due === 0 || known.due > now : ledger.isDropped(url, queue)) return true
  const { blockedUntil = 0, limit = 0 } = ledger.rulesOf(queue)
  const completed = ledger.queues().get(queue)?.completed ?? 0
  return blockedUntil > now || (limit > 0 && completed >= limit)
}

/** Where the plan puts URLs that a client dated before they were ever fetched, they go by their dates. */
function datedInOrder(queue: readonly FetchRequest[], ledger: UrlLedger): FetchRequest[] {
  const dueOf = ({ url }: FetchRequest) => ledger.of(url)?.due ?? 0
  const isDated = ({ url }: FetchRequest) => ledger.of(url)?.isDated === true
  const dated = queue.filter(isDated).sort((a, b) => dueOf(a) - dueOf(b))
  let next = 0
  return queue.map((request) => (isDated(request) ? dated[next++] : request))
}
