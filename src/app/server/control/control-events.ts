import { readProgress } from '#library/control/progress-file.ts'
import { Refusal } from '../http/refusal.ts'
import { type Route, route } from '../http/route.ts'

const LOOK_EVERY_MS = 2_000
/** Shorter than the time after which a silent connection is closed. */
const BEATS = 2
const MOST_LISTENERS = 64

/** Tells browsers that there is news (server-sent events). Nobody looks while nobody listens. */
export class ControlEvents {
  readonly #dir: string
  readonly #look: () => void
  readonly #listeners = new Set<(text: string) => void>()
  #timer: NodeJS.Timeout | undefined
  #ticks = 0
  #progress = ''

  /** `look` is called from time to time while somebody listens. */
  constructor(dir: string, look: () => void) {
    this.#dir = dir
    this.#look = look
  }

  /** Tells all who listen. */
  tell(): void {
    for (const push of this.#listeners) push('event: news\ndata: \n\n')
  }

  route(): Route {
    return route({
      path: '/control/events',
      answer: () =>
        this.#listeners.size >= MOST_LISTENERS
          ? new Refusal(429, 'Too many windows are open: close some.')
          : {
              status: 200,
              type: 'text/event-stream',
              body: 'retry: 5000\n\n',
              headers: { 'cache-control': 'no-store' },
              stream: (push) => this.#listen(push),
            },
    })
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #listen(push: (text: string) => void): () => void {
    this.#listeners.add(push)
    this.#timer ??= setInterval(() => this.#beat(), LOOK_EVERY_MS).unref()
    return () => {
      this.#listeners.delete(push)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #beat(): void {
    this.#look()
    const { doing, spent, known } = readProgress(this.#dir) ?? {}
    const progress = `${doing} ${spent} ${known}`
    if (progress !== this.#progress) this.tell()
    else if (++this.#ticks % BEATS === 0)
      for (const push of this.#listeners) push(': still here\n\n')
    this.#progress = progress
  }
}
