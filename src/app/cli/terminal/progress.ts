import { CLEARED_LINE, duration } from './output.ts'
import { cutToWidth } from './terminal-width.ts'

const TERMINAL_EVERY_MS = 200
const PIPE_EVERY_MS = 5_000

/** How far something has come, shown on stderr: one living line on a terminal, plain lines when piped. */
export class Progress {
  readonly #label: string
  readonly #unit: string
  readonly #total: number
  readonly #shown: boolean
  /** By when it ends, done or not; by the clock of `performance`. */
  readonly #endsBy: number
  /** What was done when the first of it was told: pace counts from there, not from the time it took to begin. */
  #begun: { readonly at: number; readonly done: number } | undefined
  #lastShown = 0

  constructor(label: string, unit: string, total: number, shown = true, withinSeconds = Infinity) {
    this.#label = label
    this.#unit = unit
    this.#total = total
    this.#shown = shown
    this.#lastShown = performance.now()
    this.#endsBy = performance.now() + 1000 * withinSeconds
  }

  /** Shows `done` of the total, with rate and time left, if the last time is long enough ago. */
  update(done: number, extra = ''): void {
    const now = performance.now()
    this.#begun ??= { at: now, done }
    const terminal = process.stderr.isTTY
    if (!this.#shown || now - this.#lastShown < (terminal ? TERMINAL_EVERY_MS : PIPE_EVERY_MS))
      return
    this.#lastShown = now
    const parts = [this.#counted(done), ...this.#pace(done, now, this.#begun), extra]
    write(`${this.#label}: ${parts.filter((part) => part !== '').join(', ')}`)
  }

  /** Shows what is waited for instead, at once; where nobody watches, only what is news. */
  wait(done: number, text: string, isNews: boolean): void {
    if (!this.#shown || !(process.stderr.isTTY || isNews)) return
    write(`${this.#label}: ${this.#counted(done)}, ${text}`)
  }

  /** Takes the living line away, so that a summary can follow. */
  clear(): void {
    if (this.#shown && process.stderr.isTTY) process.stderr.write(CLEARED_LINE)
  }

  #pace(
    done: number,
    now: number,
    begun: { readonly at: number; readonly done: number },
  ): string[] {
    const rate = (1000 * (done - begun.done)) / (now - begun.at)
    if (!(rate > 0)) return []
    const seconds = Math.min((this.#total - done) / rate, (this.#endsBy - now) / 1000)
    const left = `${duration(Math.max(0, seconds))} left`
    return [`${rate.toFixed(rate < 10 ? 1 : 0)}/s`, left]
  }

  #counted(done: number): string {
    const share = this.#total > 0 ? Math.floor((100 * done) / this.#total) : 100
    return `${done.toLocaleString('en')} of ${this.#total.toLocaleString('en')} ${this.#unit} (${share} %)`
  }
}

/** In place of the line before on a terminal, after it elsewhere. */
function write(line: string): void {
  process.stderr.write(process.stderr.isTTY ? `${CLEARED_LINE}${cutToTerminal(line)}` : `${line}\n`)
}

/** A line that wrapped could not be taken away again: only its last row would be. */
function cutToTerminal(line: string): string {
  return cutToWidth(line, (process.stderr.columns || 80) - 1)
}
