import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { FORAGER } from './run-program.ts'
import { type Usage, UsageReport } from './usage-report.ts'

/** A request as the server saw it; times in milliseconds of the machine's steady clock. */
export interface Asked {
  readonly host: string
  readonly path: string
  readonly at: number
  /** When the answer was handed over. */
  readonly endedAt: number
  /** 0 if the server hung up. */
  readonly status: number
  readonly retryAfterSeconds?: number
}

/** Where a host is, as `--resolve` has it. */
export type Place = readonly [name: string, place: string]

/** Hosts served by a process of their own, which tells of every request. */
export interface Served {
  readonly places: readonly Place[]
  /** All that were answered so far. */
  readonly asked: readonly Asked[]
  /** The next one to be answered. */
  next(): Promise<Asked>
}

/** The same for all processes of a machine, unlike `performance.now()`. */
export function steadyMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/**
 * Works with a server, a program that sends `{ places }` to its parent, then each request that it has answered. The
 * server is gone afterwards.
 */
export async function whileServing<T>(
  file: string,
  args: readonly unknown[],
  work: (served: Served) => Promise<T>,
): Promise<T> {
  const server = fork(file, args.map(String))
  const left = new AbortController()
  server.on('exit', () => left.abort(new Error('the server ended before it was done with')))
  try {
    const [{ places }] = await once(server, 'message', left)
    const asked: Asked[] = []
    let news = Promise.withResolvers<Asked>()
    left.signal.addEventListener('abort', () => news.reject(left.signal.reason))
    server.on('message', (request: Asked) => {
      asked.push(request)
      news.resolve(request)
      news = Promise.withResolvers()
    })
    return await work({ places, asked, next: () => news.promise })
  } finally {
    server.removeAllListeners('exit')
    server.kill('SIGKILL')
  }
}

/** A crawl that goes on. */
export interface StartedCrawl {
  readonly startedAt: number
  readonly ended: Promise<Usage>
  /** Asks it to end, as an operator would. */
  stop(): Promise<Usage>
}

/** Starts the command as a user would: what is not among the flags is left at its default. */
export function startCrawl(places: readonly Place[], flags: readonly unknown[]): StartedCrawl {
  const resolve = places.flatMap(([name, place]) => ['--resolve', `${name}=${place}`])
  const identity = ['--contact', 'bench@bench.test', '--json']
  const report = new UsageReport()
  const startedAt = steadyMs()
  const child = spawn(
    process.execPath,
    [...report.flags, FORAGER, 'crawl', ...flags.map(String), ...resolve, ...identity],
    { stdio: ['ignore', 'ignore', 'pipe'], env: report.env },
  )
  const ended = Promise.all([text(child.stderr as Readable), once(child, 'exit')]).then(
    ([complaints]) => {
      const usage = report.take(child.pid)
      if (child.exitCode === 0 && usage) return usage
      throw new Error(`the crawl ended with ${child.exitCode ?? child.signalCode}: ${complaints}`)
    },
  )
  return {
    startedAt,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
