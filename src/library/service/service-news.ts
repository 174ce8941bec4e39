import type { Clock } from '#crawl/ports.ts'
import { stampOf } from '#repository/file-stamp.ts'
import { instructionInbox } from '#repository/inbox/instruction-inbox.ts'
import { toldInbox } from '#repository/inbox/told-inbox.ts'
import { DEFAULT_HALF_LIFE_SECONDS, eventFiles } from '#repository/queries/search-events.ts'
import { LOG_FORMATS } from '#workload/formats/formats.ts'
import { USUAL_MIN_CLIENTS } from '../queries/import-log.ts'
import type { RunningService } from '../run/run-crawl.ts'
import type { Settings } from '../settings/settings.ts'
import { ChangingFile } from './changing-file.ts'

/** A log that grows is read again from its beginning, so not more often than this. */
const READ_AGAIN_SECONDS = 60

/** What may change from outside while a service runs: seeds, a query log, the searches on its own page, instructions. */
export class ServiceNews {
  readonly #dir: string
  readonly #clock: Clock
  readonly #seeds: ChangingFile | undefined
  readonly #log: ChangingFile | undefined
  readonly #format: string
  #logReadAt = Number.NEGATIVE_INFINITY
  #searches: string
  #news = new AbortController()

  constructor({ dir, seeds, queryLog, queryLogFormat }: Settings, clock: Clock) {
    this.#dir = dir
    this.#clock = clock
    this.#seeds = seeds === undefined ? undefined : new ChangingFile(seeds, false)
    this.#log = queryLog === undefined ? undefined : new ChangingFile(queryLog, true)
    this.#format = queryLogFormat
    this.#searches = this.#searchStamps()
  }

  /** Aborts with news that no plan has taken in. */
  get signal(): AbortSignal {
    return this.#news.signal
  }

  /** Looks whether people have searched or said something, or their log has grown. */
  look(): void {
    const searches = this.#searchStamps()
    const hasGrown = this.#mayReadLog && this.#log?.isOtherThanSeen()
    if (searches !== this.#searches || hasGrown) this.#news.abort()
    this.#searches = searches
  }

  hasNewSeeds(): boolean {
    return this.#seeds?.hasChanged() ?? false
  }

  /** Before a plan, which takes in all news: the query log, if it has grown since it was last read. */
  grownLog(): ReturnType<RunningService['grownLog']> {
    if (this.#news.signal.aborted) this.#news = new AbortController()
    if (!this.#mayReadLog || !this.#log?.hasChanged()) return undefined
    this.#logReadAt = this.#clock.now()
    const { reader, knowsClients } = LOG_FORMATS[this.#format]
    const minClients = knowsClients ? USUAL_MIN_CLIENTS : 1
    const times = { halfLifeSeconds: DEFAULT_HALF_LIFE_SECONDS, now: Date.now() / 1000 }
    return {
      file: this.#log.path,
      how: { format: this.#format, reader, param: 'q', minClients, ...times },
    }
  }

  get #mayReadLog(): boolean {
    return this.#clock.now() >= this.#logReadAt + READ_AGAIN_SECONDS
  }

  #searchStamps(): string {
    const searches = eventFiles(this.#dir).map(({ path }) => path)
    return stampOf(...searches, instructionInbox(this.#dir).file, toldInbox(this.#dir).file)
  }
}
