import type { ReportTable } from '#lab/report/report-page.ts'

/** The flags every experiment takes. */
export interface ExperimentOptions {
  readonly archive: readonly string[]
  readonly policies?: string
  readonly sizes?: string
  readonly base?: number
  readonly at?: number
  readonly scoring?: string
  readonly seed: number
  readonly onProgress: (done: number, total: number, what: string) => void
}

/** What an experiment found, ready to be written in every form. */
export interface ExperimentResult {
  /** The JSON result, for --out and --json. */
  readonly result: object
  readonly title: string
  readonly intro: string
  readonly charts: readonly string[]
  readonly tables: readonly ReportTable[]
  readonly archives: readonly string[]
  /** Raw selections for --dump, by file name; made one at a time, as they may be large. */
  readonly dumps: readonly { readonly name: string; readonly lines: () => string[] }[]
}

export type Experiment = (options: ExperimentOptions) => Promise<ExperimentResult>
