import type { MessagePort } from 'node:worker_threads'
import type { BoundsMemory } from '../bounds/bounds.ts'
import type { SenderOptions } from '../fetcher-options.ts'
import type { Notice, Sender } from '../sender.ts'

/** Options that are functions cannot be sent to another thread. */
export type OptionFunctions =
  | 'clock'
  | 'lookup'
  | 'mayConnect'
  | 'restAfter'
  | 'onRequest'
  | 'keep'
  | 'keepRobots'
  | 'render'

/** What a worker's thread is started with. */
export interface ThreadData {
  readonly options: Omit<SenderOptions, OptionFunctions>
  /** Which of the workers it is, and what they keep to together. */
  readonly own: number
  readonly bounds: BoundsMemory
  /** Where they hear each other. */
  readonly channel: string
  /** The crawl's time in seconds when the clock that all threads share (`process.hrtime`) stood at 0. */
  readonly clockZero: number
  /** Leads to whoever renders, if somebody does. */
  readonly renderPort?: MessagePort
  /** For the program, beside what every worker has. */
  readonly more?: unknown
  /** Where compiled sources are kept, if they are. */
  readonly compileCache?: string
}

/** A call of one of the sender's methods; only those with an id are answered. */
export interface Call<Method extends keyof Sender = keyof Sender> {
  readonly method: Method
  readonly args: Parameters<Sender[Method]>
  readonly id?: number
}

export type Message =
  | Notice
  /** The answer to a call. */
  | { readonly kind: 'reply'; readonly id: number; readonly value: unknown }

/** Seconds on a clock that is the same for all threads of the machine, and never goes back. */
export function sharedSeconds(): number {
  return Number(process.hrtime.bigint()) / 1e9
}
