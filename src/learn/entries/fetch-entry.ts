import type { Prediction } from '../corrections/corrections.ts'
import type { FetchOutcome } from './outcome.ts'
import type { Parts, Purpose } from './purpose.ts'

/** What the plan said of a fetch. */
export interface Forecast {
  readonly purpose: Purpose
  /** Quality that the fetch was expected to gain at once. */
  readonly predictedGain: number
  /** What was bid for it, in the currency of the policy, and for which purpose how much of it. */
  readonly bid?: number
  readonly parts?: Parts
  /** What was predicted before corrections. */
  readonly prediction?: Prediction
  /** The chance it had, if it was sampled. */
  readonly probability?: number
  /** How often searchers saw the copy when the fetch was planned. */
  readonly views?: number
}

/** The place of an exchange's response record in a WARC file. */
export interface WarcPlace {
  readonly file: string
  readonly offset: number
}

/** A finished fetch as the log has it: what was expected of it, what came, and what it was worth. */
export interface FetchEntry extends Forecast {
  /** In the kept log without the text of a page, which lies with the index. */
  readonly outcome: FetchOutcome
  /** Where the exchange lies, if it was kept. */
  readonly warc?: WarcPlace
  /** Known once its cycle has ended, where queries are tracked. */
  readonly realisedGain?: number
  /** What of it other pages gained, by the words of its links. */
  readonly anchorGain?: number
}
