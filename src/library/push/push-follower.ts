import { exportBeside } from '#repository/export/export-tables.ts'
import type { CrawlStore } from '#repository/state/crawl-store.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { pushFrom } from './push-pages.ts'
import { PushError, type PushTarget } from './push-target.ts'

/** When a run ends, targets get so long to take the rest; the next run brings them what is left. */
const LAST_PUSH_MS = 20_000
/** Whoever told the run to stop does not wait for them. */
const STOPPED_PUSH_MS = 1_000

interface FollowerOptions {
  readonly dir: string
  readonly store: Pick<CrawlStore, 'connect'>
  readonly target: PushTarget
  readonly note: NoteListener
  /** Aborts when the run is told to stop. */
  readonly stopped?: AbortSignal
}

/** Hands a target what a running crawl commits, lot after lot, and never keeps the crawl waiting. */
export class PushFollower implements AsyncDisposable {
  readonly #options: FollowerOptions
  readonly #stop = new AbortController()
  #pushing: Promise<void> | undefined
  #hasNews = false
  #isRefused = false

  constructor(options: FollowerOptions) {
    this.#options = options
    this.wake() // an earlier run may have left something
  }

  /** Something was committed. */
  wake(): void {
    this.#hasNews = true
    this.#pushing ??= this.#push().finally(() => {
      this.#pushing = undefined
    })
  }

  async #push(): Promise<void> {
    const { dir, store, target, note } = this.#options
    const { signal } = this.#stop
    while (this.#hasNews && !this.#isRefused && !signal.aborted) {
      this.#hasNews = false
      try {
        await pushFrom(dir, { target, signal }, (wanted) => exportBeside(store, dir, wanted))
      } catch (error) {
        this.#isRefused = error instanceof PushError && error.isRefusal
        if (!signal.aborted) note({ kind: 'push failed', to: target.name, error: error as Error })
      }
    }
  }

  /** Hands over what is left, if that can be done soon. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { stopped } = this.#options
    const giveUpAfter = (ms: number) => setTimeout(() => this.#stop.abort(), ms)
    const timers = [giveUpAfter(stopped?.aborted ? STOPPED_PUSH_MS : LAST_PUSH_MS)]
    const hurry = () => timers.push(giveUpAfter(STOPPED_PUSH_MS))
    stopped?.addEventListener('abort', hurry)
    if (this.#hasNews || this.#pushing) this.wake()
    await this.#pushing
    stopped?.removeEventListener('abort', hurry)
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Followers of all targets as one. */
export function followWith(
  targets: readonly PushTarget[],
  options: Omit<FollowerOptions, 'target'>,
): Pick<PushFollower, 'wake'> & AsyncDisposable {
  const followers = targets.map((target) => new PushFollower({ ...options, target }))
  return {
    wake: () => {
      for (const follower of followers) follower.wake()
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(followers.map((follower) => follower[Symbol.asyncDispose]()))
    },
  }
}
