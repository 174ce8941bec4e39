import { setTimeout as sleep } from 'node:timers/promises'
import { runningCrawl } from '#library/control/progress-file.ts'
import { later } from '../../web/control/blocks/blocks.ts'
import { count } from '../../web/control/blocks/words.ts'
import { controlPage, type Doing, placeName, placeOf } from '../../web/control/control-frame.ts'
import { Refusal } from '../http/refusal.ts'
import { type Answer, type Asked, htmlAnswer } from '../http/route.ts'

/** Parts of pages that come later. */
export const PARTS = '/control/part/'
/** With this parameter a page is waited for. */
export const WAIT = 'wait'

/** So long a page is waited for before people are told that it takes longer. */
const PATIENCE_MS = 200
/** What comes later is asked for again after so long: proxies and programs close what is silent for a minute. */
const LONG_PATIENCE_MS = 20_000

/** Answers in time: with what is asked for, or with the word that it takes longer and will be there when it is asked for again. */
export async function inTime(
  asked: Asked,
  frame: { readonly dir: string; readonly hasSearch: boolean },
  work: Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  const { path, query, headers } = asked
  const isPage = !path.startsWith('/api/')
  const isPart = path.startsWith(PARTS)
  const isWaitedFor = !isPage || isPart || query.has(WAIT) || headers['x-renew'] !== undefined
  const answer = await within(work, isWaitedFor ? LONG_PATIENCE_MS : PATIENCE_MS)
  if (answer !== undefined) return answer
  if (!isPage)
    return new Refusal(503, 'It is still being worked out: ask again.', { 'retry-after': '10' })
  const again = new URLSearchParams(query)
  if (!isPart) again.set(WAIT, 'yes')
  const comes = later(again.size > 0 ? `${path}?${again}` : path)
  if (headers['x-part'] !== undefined) return htmlAnswer(200, comes.text)
  const place = placeOf(path)
  const title = placeName(place)
  return htmlAnswer(200, controlPage({ ...frame, doing: doingNow(frame.dir) }, place, title, comes))
}

/** Undefined if it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const enough = new AbortController()
  const over = sleep(ms, undefined, { signal: enough.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, over])
  } finally {
    enough.abort()
    work.catch(() => {}) // who asks again hears of it
  }
}

/** What a crawl does, for all pages. */
export function doingNow(dir: string): Doing {
  const running = runningCrawl(dir)
  if (!running) return { kind: 'at rest', words: 'At rest' }
  const { doing, fetchesPerSecond } = running
  const words = {
    crawling: `Crawling, ${count(60 * fetchesPerSecond)} a minute`,
    paused: 'Paused',
    stopping: 'Stopping',
    reloading: 'Reloading',
  }
  return { kind: doing, words: words[doing] }
}
