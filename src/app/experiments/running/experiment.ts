import type { Command } from 'commander'
import type { ReportTable } from '#lab/report/report-page.ts'

/** The flags every experiment takes. */
export interface CommonOptions {
  readonly archive: readonly string[]
  readonly seed: number
}

/** Something the lab can find out about recorded webs. */
export interface Experiment {
  /** One line for `--help`. */
  readonly summary: string
  /** Arguments of `forager lab run` that show it off. */
  readonly example: string
  /** The flags it takes beside the common ones. */
  addFlags(command: Command): void
  /** Checks the flags and lays out the work. */
  prepare(options: CommonOptions): Promise<ExperimentRun>
}

/** An experiment laid out in steps, so that a run cut short can be taken up where it stopped. */
interface ExperimentRun {
  readonly steps: readonly ExperimentStep[]
  /** How long all steps may take, roughly; left out of what is quick. */
  readonly seconds?: number
  /** The whole, from what the steps found, in their order. */
  present(found: readonly unknown[]): Findings
}

interface ExperimentStep {
  /** Tells it from all other steps of the run; shown while it runs. */
  readonly name: string
  run(): Promise<StepOutcome>
}

export interface StepOutcome {
  /** Kept as JSON until all steps are done. */
  readonly found: unknown
  /** Raw data for --dump, by file name; made one at a time, as they may be large. */
  readonly dumps?: readonly { readonly name: string; readonly lines: () => Iterable<string> }[]
}

/** What an experiment found, ready to be written in every form. */
export interface Findings {
  /** The JSON result, for --out and --json. */
  readonly result: ExperimentJson
  readonly title: string
  readonly intro: string
  readonly charts: readonly string[]
  readonly tables: readonly ReportTable[]
  readonly archives: readonly string[]
}

export interface ExperimentJson {
  readonly experiment: string
  /** The fields of a row that tell which it is; `lab compare` finds its twin by them. */
  readonly keys: readonly string[]
  readonly rows: readonly object[]
  /** What else there is to tell. */
  readonly [more: string]: unknown
}
