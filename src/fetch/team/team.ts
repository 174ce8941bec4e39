import { BroadcastChannel } from 'node:worker_threads'
import type { RobotsRecord } from '#crawl/ports.ts'
import type { HttpAnswer, HttpFailure } from '../http/http-get.ts'
import { DomainOwners } from './domain-owners.ts'

type RobotsAnswer = HttpAnswer | HttpFailure | undefined

/** What a worker does for the others. */
interface TeamMate {
  /** A group that a host of it waits for has a place. */
  nudged(group: string): void
  /** Asks for a robots.txt of one of its own hosts, under that host's manners. */
  getRobots(url: URL): Promise<RobotsAnswer>
  /** A robots.txt of another's host names a sitemap of one of its own. */
  lent(record: RobotsRecord): void
}

type Word =
  /** Said once by everybody who begins, and by whoever hears that. */
  | { readonly kind: 'here'; readonly from: number; readonly isNew: boolean }
  | { readonly kind: 'nudge'; readonly group: string }
  | { readonly kind: 'lend'; readonly record: RobotsRecord }
  | { readonly kind: 'ask'; readonly from: number; readonly id: number; readonly url: string }
  | { readonly kind: 'reply'; readonly id: number; readonly answer: RobotsAnswer }

/** A robots.txt that another worker was asked for. */
interface Asked {
  readonly owner: number
  readonly word: Word
  readonly resolve: (answer: RobotsAnswer) => void
}

/** Where the workers of a crawl hear each other. */
export interface TeamPlace {
  readonly channel: string
  readonly own: number
  readonly workers: number
}

/** A worker that has not answered by then is no more. */
const LONGEST_ANSWER_MS = 120_000

/**
 * What the workers of one crawl say to each other, without their reader, who may be busy. A domain is with one worker, and
 * yet a robots.txt may redirect to another's host, sitemaps may be named by another's robots.txt, and addresses are shared.
 */
export class Team {
  readonly #place: TeamPlace
  readonly #owners: DomainOwners
  readonly #mate: TeamMate
  readonly #channel: BroadcastChannel | undefined
  readonly #asked = new Map<number, Asked>()
  /** Who is there to hear: what is said on a channel before somebody has opened it, he never hears. */
  readonly #here = new Set<number>()
  /** By worker that is not there yet: what it is to hear when it is. */
  readonly #unsaid = new Map<number, Word[]>()
  #asks = 0

  constructor(place: TeamPlace, mate: TeamMate) {
    this.#place = place
    this.#mate = mate
    this.#owners = new DomainOwners(place.workers)
    if (place.workers === 1) return
    this.#channel = new BroadcastChannel(place.channel)
    this.#channel.onmessage = (event) => {
      const { to, word } = (event as { data: { to: number; word: Word } }).data
      if (to === place.own) void this.#hear(word)
    }
    this.#channel.unref()
    for (let mate = 0; mate < place.workers; mate++)
      if (mate !== place.own) this.#post(mate, { kind: 'here', from: place.own, isNew: true })
  }

  /** Whether there are others. */
  get isAlone(): boolean {
    return this.#channel === undefined
  }

  isOwn(host: string): boolean {
    return this.#owners.ownerOf(host) === this.#place.own
  }

  nudge(worker: number, group: string): void {
    this.#say(worker, { kind: 'nudge', group })
  }

  /** Gives a robots.txt to whoever has the host that it names a sitemap of. */
  lend(record: RobotsRecord, host: string): void {
    this.#say(this.#owners.ownerOf(host), { kind: 'lend', record })
  }

  /** Asks for a robots.txt, or has it asked for by whoever has the host. */
  getRobots(url: URL): Promise<RobotsAnswer> {
    if (this.isOwn(url.host)) return this.#mate.getRobots(url)
    const id = this.#asks++
    const answer = Promise.withResolvers<RobotsAnswer>()
    const timer = setTimeout(() => this.#answered(id, undefined), LONGEST_ANSWER_MS)
    const resolve = (value: RobotsAnswer) => {
      clearTimeout(timer)
      answer.resolve(value)
    }
    const owner = this.#owners.ownerOf(url.host)
    const word: Word = { kind: 'ask', from: this.#place.own, id, url: url.href }
    this.#asked.set(id, { owner, word, resolve })
    this.#say(owner, word)
    return answer.promise
  }

  close(): void {
    for (const id of [...this.#asked.keys()]) this.#answered(id, undefined)
    this.#channel?.close()
  }

  #say(to: number, word: Word): void {
    if (this.#here.has(to)) this.#post(to, word)
    else this.#unsaid.set(to, [...(this.#unsaid.get(to) ?? []), word])
  }

  #post(to: number, word: Word): void {
    this.#channel?.postMessage({ to, word })
  }

  /** A worker is there; a new one may be in place of one that is no more, and hears again what that was asked. */
  #meet(mate: number, isNew: boolean): void {
    if (isNew) this.#post(mate, { kind: 'here', from: this.#place.own, isNew: false })
    if (isNew && this.#here.has(mate))
      for (const { owner, word } of this.#asked.values()) if (owner === mate) this.#post(mate, word)
    this.#here.add(mate)
    for (const word of this.#unsaid.get(mate) ?? []) this.#post(mate, word)
    this.#unsaid.delete(mate)
  }

  async #hear(word: Word): Promise<void> {
    switch (word.kind) {
      case 'here':
        this.#meet(word.from, word.isNew)
        return
      case 'nudge':
        this.#mate.nudged(word.group)
        return
      case 'lend':
        this.#mate.lent(word.record)
        return
      case 'ask': {
        const answer = await this.#mate.getRobots(new URL(word.url))
        this.#say(word.from, { kind: 'reply', id: word.id, answer })
        return
      }
      case 'reply':
        this.#answered(word.id, word.answer)
    }
  }

  #answered(id: number, answer: RobotsAnswer): void {
    this.#asked.get(id)?.resolve(answer)
    this.#asked.delete(id)
  }
}
