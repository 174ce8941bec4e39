import type { FetchRequest } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { OutcomeChannel } from './outcome-channel.ts'

/** One `fetchAll`: what it still waits for, and where its outcomes go. */
export class FetchCall {
  readonly channel = new OutcomeChannel()
  readonly startedAt: number
  /** Hosts it could keep busy at once. */
  readonly width: number
  /** Requests not sent. */
  waiting: number
  /** Requests sent, and of these (or of earlier calls) not answered. */
  sent = 0
  underWay = 0
  /** It waits for all that is under way, however long it takes. */
  isPatient: boolean

  constructor(waiting: number, width: number, startedAt: number) {
    this.waiting = waiting
    this.width = width
    this.startedAt = startedAt
    this.isPatient = waiting === 0
  }

  endIfDone(): void {
    if (this.waiting === 0 && this.underWay === 0) this.channel.end()
  }
}

/** A request under way; without an owner its call has ended, and the next one gets the outcome. */
interface Flight {
  readonly request: FetchRequest
  readonly host: string
  readonly startedAt: number
  owner: FetchCall | undefined
}

/** Brings every outcome to the call that waits for it, or keeps it for the next: none gets lost. */
export class FetchCalls {
  readonly #calls = new Set<FetchCall>()
  readonly #flights = new Set<Flight>()
  /** Answered after their call had ended, or not read by it. */
  #late: FetchOutcome[] = []

  /** Ids of the requests whose outcomes are still to come out. */
  pending(): number[] {
    const underWay = [...this.#flights].map(({ request }) => request.id)
    return [...underWay, ...this.#late.map(({ id }) => id)]
  }

  open(): readonly FetchCall[] {
    return [...this.#calls]
  }

  /** Outcomes that nobody has read yet. */
  unread(): number {
    let unread = 0
    for (const { channel } of this.#calls) unread += channel.unread
    return unread
  }

  /** Takes up a call, to which also belongs whatever earlier ones left behind. */
  begin(call: FetchCall): void {
    this.#calls.add(call)
    for (const outcome of this.#late) call.channel.push(outcome)
    this.#late = []
    for (const flight of this.#flights) {
      if (flight.owner) continue
      flight.owner = call
      call.underWay++
    }
  }

  /** What is under way, or was not read, comes out of the next call. */
  end(call: FetchCall): void {
    this.#calls.delete(call)
    for (const flight of this.#flights) if (flight.owner === call) flight.owner = undefined
    this.#late.push(...call.channel.takeUnread())
  }

  /** A request of the call's is sent. */
  depart(request: FetchRequest, host: string, startedAt: number, owner: FetchCall): Flight {
    const flight = { request, host, startedAt, owner }
    this.#flights.add(flight)
    owner.waiting--
    owner.sent++
    owner.underWay++
    return flight
  }

  /** It is answered. */
  arrive(flight: Flight, outcome: FetchOutcome): void {
    this.#flights.delete(flight)
    const { owner } = flight
    if (!owner) {
      this.#late.push(outcome)
      return
    }
    owner.underWay--
    owner.channel.push(outcome)
    owner.endIfDone()
  }

  /** Since when each host owes the call an answer. */
  owedSince(call: FetchCall): Map<string, number> {
    const since = new Map<string, number>()
    // Flights are in order of departure: the first of a host is its oldest.
    for (const { host, owner, startedAt } of this.#flights)
      if (owner === call && !since.has(host)) since.set(host, startedAt)
    return since
  }
}
