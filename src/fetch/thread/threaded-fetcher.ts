import { randomUUID } from 'node:crypto'
import { getCompileCacheDir } from 'node:module'
import { boundsIn, sharedMemory } from '../bounds/bounds.ts'
import { type LiveFetcherOptions, usualPaceOf } from '../fetcher-options.ts'
import { type LiveFetcher, OutcomeReader } from '../outcome-reader.ts'
import type { BrowserOptions } from '../render/renderer.ts'
import { WorkerPool } from '../workers/worker-pool.ts'
import { sharedSeconds } from './messages.ts'
import { RenderingThread } from './rendering-thread.ts'
import { startThread } from './thread-sender.ts'

const PROGRAM = new URL('./fetch-thread.ts', import.meta.url)

/** How a fetcher is spread over threads. */
export interface Threads {
  /** 1 if left out. */
  readonly workers?: number
  /** What a thread runs, if not the usual program, and what that is given. */
  readonly program?: URL
  readonly more?: unknown
  /** The browser that pages are rendered in; without it, none is. */
  readonly browser?: BrowserOptions
}

/**
 * A fetcher for the live web that sends, receives and parses on threads of its own: while its caller computes, no
 * socket waits. Its clock goes as fast as the machine's.
 */
export function threadedFetcher(
  {
    clock,
    bytesLeft,
    ...options
  }: Omit<
    LiveFetcherOptions,
    'lookup' | 'onRequest' | 'onLongRead' | 'keep' | 'keepRobots' | 'render'
  >,
  { workers = 1, program = PROGRAM, more, browser }: Threads = {},
): LiveFetcher {
  const memory = sharedMemory(workers, bytesLeft?.())
  const bounds = boundsIn(memory, 0, bytesLeft?.())
  const shared = {
    bounds: memory,
    channel: randomUUID(),
    more,
    clockZero: clock.now() - sharedSeconds(),
    compileCache: getCompileCacheDir(),
  }
  const { clockZero } = shared
  const rendering = browser && new RenderingThread({ options, browser, clockZero })
  return new OutcomeReader(
    { clock, bytesLeft, bounds, usualPace: usualPaceOf(options), sites: options.sites },
    (tell) =>
      new WorkerPool({
        bounds,
        options,
        now: () => clock.now(),
        tell,
        start: (own, theirs, hear) => {
          const data = { ...shared, own, options: theirs, renderPort: rendering?.connect() }
          return startThread(program, data, hear)
        },
        onClose: () => rendering?.close(),
      }),
  )
}
