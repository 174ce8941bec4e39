import type { Fetcher, FetchRequest } from '#crawl/ports.ts'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import { parsePage } from '#parse/parse-page.ts'
import { needsScripts, SHELL } from './scripted-web.ts'

/** What a rendering takes is told so that this many fetches are learnt from it; see `learn/renderings/render-costs.ts`. */
export interface FramedWeb {
  readonly seed: number
  /** What a rendering costs, in fetches. */
  readonly cost: number
  readonly renders: boolean
  /** These are rendered although nobody asks for it. */
  readonly chosen?: ReadonlySet<string>
}

const FRAME = new TextEncoder().encode(SHELL)
const HTML = 'text/html; charset=utf-8'
const RENDERED_BYTES = 30_000
const LEAST_MS = 200
const LEAST_BYTES = 20_000

/** Fetches from a recorded web a part of whose pages are frames, unless they are rendered: without a browser, in no time. */
export function framedFetcher(recorded: Fetcher, web: FramedWeb): Fetcher {
  let waiting: readonly FetchRequest[] = []
  let sends = 0
  return {
    post(board) {
      waiting = board.requests
      sends = board.sends
    },
    async next() {
      const place = waiting.findIndex(({ renderCost = 1 }) => renderCost <= sends)
      if (place < 0) return undefined
      const request = waiting[place]
      waiting = waiting.slice(place + 1)
      recorded.post({ requests: [request], sends: 1 })
      const outcome = asShown((await recorded.next())!, request, web)
      sends -= costOf(outcome)
      return outcome
    },
    inFlight: () => [],
    async close() {},
  }
}

/** A page as it would be met: a frame, what scripts made of it, or as it is. */
export function asShown(
  outcome: FetchOutcome,
  { url, renderCost }: Pick<FetchRequest, 'url' | 'renderCost'>,
  { seed, cost, renders, chosen }: FramedWeb,
): FetchOutcome {
  if (outcome.kind !== 'page' || outcome.page.form !== 'page') return outcome
  const isFrame = needsScripts(url, seed)
  if (renderCost !== undefined || chosen?.has(url)) {
    const ms = LEAST_MS * (2 * cost - RENDERED_BYTES / LEAST_BYTES)
    const state = isFrame ? 'done' : 'fruitless'
    return { ...outcome, ms, bytes: RENDERED_BYTES, rendering: { state, cost: renderCost ?? cost } }
  }
  if (!isFrame) return outcome
  const page = parsePage(FRAME, HTML, url)
  const rendering = { state: renders ? page.scriptNeed! : 'unasked' } as const
  return { ...outcome, page, contentHash: 'frame', bytes: FRAME.length, rendering }
}
