import { dropRequest, takeRequest } from '../control/control-file.ts'
import {
  type CrawlProgress,
  dropProgress,
  readProgress,
  writeProgress,
} from '../control/progress-file.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import type { PausableFetcher } from './pausable-fetcher.ts'

/** How often a crawl says how far it is, and how often it looks whether somebody wants something of it. */
const HEARTBEAT_MS = 1_000
const LOOK_MS = 250

/** What a running crawl is asked about itself, and what it can be told. */
interface Heart {
  readonly dir: string
  readonly fetcher: PausableFetcher
  progress(): Omit<CrawlProgress, 'pid' | 'at' | 'answered'>
  stop(): void
  /** Reads its settings again, if it can. */
  reload?(): void
  readonly note: NoteListener
  /** After every sign of life. */
  beat?(): void
}

/**
 * Tells other processes how far the crawl is, and does what they ask; gives the way to end that. A service that reloads
 * lives on for them meanwhile, and hears afterwards what they asked.
 */
export function startHeartbeat(heart: Heart): () => void {
  const { dir, fetcher, progress, note, beat } = heart
  let answered: string | undefined
  const obey = () => {
    const request = takeRequest(dir)
    if (!request) return
    answered = request.id
    if (request.control === 'stop') heart.stop()
    if (request.control === 'reload') heart.reload?.()
    if (request.control === 'pause' && !fetcher.paused) {
      fetcher.pause()
      note({ kind: 'paused' })
    }
    if (request.control === 'resume' && fetcher.paused) {
      fetcher.resume()
      note({ kind: 'resumed' })
    }
    tell()
  }
  const tell = () => {
    beat?.()
    writeProgress(dir, { pid: process.pid, at: Date.now() / 1000, ...progress(), answered })
  }
  const { pid, doing } = readProgress(dir) ?? {}
  if (pid !== process.pid || doing !== 'reloading') dropRequest(dir) // meant for an earlier run
  tell()
  const pulse = setInterval(tell, HEARTBEAT_MS)
  const ear = setInterval(obey, LOOK_MS)
  return () => {
    clearInterval(pulse)
    clearInterval(ear)
    if (progress().doing === 'reloading') tell()
    else dropProgress(dir)
  }
}
