import { CLEARED_LINE, duration } from './output.ts'
import { cutToWidth } from './terminal-width.ts'

const TERMINAL_EVERY_MS = 200
const PIPE_EVERY_MS = 5_000

/** How far something has come, shown on stderr: one living line on a terminal, plain lines when piped. */
export class Progress {
  readonly #label: string
  readonly #unit: string
  readonly #total: number
  readonly #startedAt = performance.now()
  readonly #startedWith: number
  readonly #shown: boolean
  #lastShown = 0

  constructor(label: string, unit: string, total: number, startedWith = 0, shown = true) {
    this.#label = label
    this.#unit = unit
    this.#total = total
    this.#startedWith = startedWith
    this.#shown = shown
    this.#lastShown = performance.now()
  }

  /** Shows `done` of the total, with rate and time left, if the last time is long enough ago. */
  update(done: number, extra = ''): void {
    const now = performance.now()
    const terminal = process.stderr.isTTY
    if (!this.#shown || now - this.#lastShown < (terminal ? TERMINAL_EVERY_MS : PIPE_EVERY_MS))
      return
    this.#lastShown = now
    write(this.#line(done, now, extra))
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

  #line(done: number, now: number, extra: string): string {
    const seconds = (now - this.#startedAt) / 1000
    const rate = (done - this.#startedWith) / seconds
    const left = rate > 0 ? `, ${duration((this.#total - done) / rate)} left` : ''
    return `${this.#label}: ${this.#counted(done)}, ${rate.toFixed(rate < 10 ? 1 : 0)}/s${left}${extra && `, ${extra}`}`
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
