import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type ReportTable, reportPage, standaloneSvg } from '#lab/report/report-page.ts'
import { version } from '#library/settings/version.ts'
import { stampOf } from '#repository/file-stamp.ts'
import { EXPERIMENTS } from '../../experiments/experiments.ts'
import { findingsOf } from '../../experiments/run-experiment.ts'
import type { CommonOptions, Findings, StepOutcome } from '../../experiments/running/experiment.ts'
import { StepLog } from '../../experiments/running/step-log.ts'
import { UsageError } from '../../text/usage-error.ts'
import { several, wholeNumber } from '../settings/options.ts'
import { narrowTable, screenWidth, wrapped } from '../terminal/narrow-table.ts'
import { count, duration, outputFor } from '../terminal/output.ts'
import { Progress } from '../terminal/progress.ts'
import {
  mustBeWritable,
  mustBeWritableFolder,
  writeResult,
  writing,
} from '../terminal/write-result.ts'
import { commit } from './commit.ts'

interface RunOptions extends CommonOptions {
  readonly out?: string
  readonly report?: string
  readonly figures?: string
  readonly dump?: string
  readonly fresh?: boolean
  /** Where an experiment takes policies of the user's own. */
  readonly policyFile?: readonly string[]
  readonly all?: boolean
  readonly json?: boolean
}

/** The experiments of `forager lab run`, with their flags. */
export function defineRun(run: Command): void {
  run
    .addHelpText('after', `\nExample:\n  forager lab run ${EXPERIMENTS.selection.example}`)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(explainChoice)
  for (const [name, experiment] of Object.entries(EXPERIMENTS)) {
    const command = run
      .command(name)
      .description(experiment.summary)
      .option('--archive <dir>', 'the archive to use; may be repeated', several)
    experiment.addFlags(command)
    command
      .option(
        '--seed <n>',
        'seed of tie-breaks between equal scores, and of samples',
        wholeNumber(0),
        1,
      )
      .option('--out <file>', 'write the result as JSON; a run cut short goes on where it stopped')
      .option('--fresh', 'do not take up a run that was cut short')
      .option('--report <file>', 'write a report with pictures as HTML')
      .option('--figures <dir>', 'write each picture as SVG')
      .option('--dump <dir>', 'write the raw data behind the numbers')
      .option('--all', 'print all tables, not only those that sum up')
      .option('--json', 'print the result as JSON')
      .addHelpText('after', `\nExample:\n  forager lab run ${experiment.example}`)
      .action((options: RunOptions) => runToFiles(name, options))
  }
}

/** Runs of so many seconds are announced. */
const LONG = 30

function explainChoice(name: string | undefined): never {
  const wrong = name === undefined ? 'name an experiment' : `there is no experiment "${name}"`
  throw new UsageError(`${wrong}: choose one of ${Object.keys(EXPERIMENTS).join(', ')}`)
}

async function runToFiles(name: string, options: RunOptions): Promise<void> {
  const output = outputFor(options)
  const { archive = [] } = options
  if (archive.length === 0)
    throw new UsageError(
      'name at least one recorded web with --archive DIR; forager lab generate makes one',
    )
  let log: StepLog | undefined
  let progress: Progress | undefined
  const findings = await findingsOf(
    name,
    { ...options, archive },
    {
      begin: (steps, seconds) => {
        checkPlaces(options)
        log = options.out === undefined ? undefined : openLog(name, options.out, options)
        if (log && log.size > 0)
          output.note(
            `taking up ${log.size} finished steps of a run cut short; --fresh starts anew`,
          )
        if (seconds >= LONG)
          output.note(
            `this takes about ${duration(seconds)} on a machine of 2026, by the sizes of the archives; fewer policies, budgets or splits take less`,
          )
        progress = new Progress(name, 'steps', steps, !output.json)
        return log
      },
      step: (done, step) => progress?.update(done, step),
      outcome: (outcome) => {
        if (options.dump !== undefined) dump(outcome, options.dump)
      },
    },
  )
  progress?.clear()
  if (options.out !== undefined) writeResult('--out', options.out, resultText(findings))
  if (options.report !== undefined)
    writeResult('--report', options.report, reportOf(findings, options.seed))
  if (options.figures !== undefined) writeFigures(findings, options.figures)
  log?.remove()
  output.result(findings.result, () => tablesText(findings.tables, options.all === true))
  for (const file of [options.out, options.report, options.figures, options.dump])
    if (file) output.note(`wrote ${file}`)
}

/** Tables as wide as the screen, and what else there is. */
function tablesText(tables: readonly ReportTable[], isAll: boolean): string {
  const width = screenWidth()
  const shown = tables.filter(({ isDetail }) => isAll || !isDetail)
  const more = tables.filter((table) => !shown.includes(table))
  const rows = more.reduce((sum, table) => sum + table.rows.length, 0)
  const texts = shown.map(
    ({ caption, header, rows }) =>
      `${wrapped(caption, width)}\n${narrowTable(header, rows, width)}`,
  )
  const rest = rows === 0 ? [] : [`${count(rows)} more rows in other tables: --all prints them`]
  return [...texts, ...rest].join('\n\n')
}

/** Whatever is to be written can be: it would be a pity to learn otherwise at the end. */
function checkPlaces({ out, report, figures, dump }: RunOptions): void {
  if (out !== undefined) mustBeWritable('--out', out)
  if (report !== undefined) mustBeWritable('--report', report)
  if (figures !== undefined) mustBeWritableFolder('--figures', figures)
  if (dump !== undefined) mustBeWritableFolder('--dump', dump)
}

/** The steps of a run are only good for the same words, program, archives and policy files. */
function openLog(name: string, out: string, options: RunOptions): StepLog {
  const { fresh, json, report, figures, ...words } = options
  const archiveFiles = (options.archive ?? []).flatMap((dir) =>
    readdirSync(dir).map((file) => join(dir, file)),
  )
  const files = [...archiveFiles, ...(options.policyFile ?? [])]
  const stamps = files.map((file) => `${resolve(file)} ${stampOf(file)}`)
  const identity = JSON.stringify([name, version, commit(), words, stamps])
  return writing('--out', out, () => new StepLog(`${out}.steps`, identity, fresh === true))
}

/** Whoever finds the file later can tell what made it, and make it again. */
function resultText({ result }: Findings): string {
  const date = new Date().toISOString().slice(0, 10)
  const made = { command: commandLine(), version, commit: commit(), date }
  return `${JSON.stringify({ ...result, made }, null, 1)}\n`
}

function commandLine(): string {
  return ['forager', ...process.argv.slice(2)].join(' ')
}

function reportOf(found: Findings, seed: number): string {
  const command = commandLine()
  return reportPage({
    ...found,
    provenance: { command, seed, version, commit: commit(), archives: found.archives },
  })
}

/** Figures are numbered in the order of the report. */
function writeFigures({ charts }: Findings, dir: string): void {
  const digits = String(charts.length).length
  for (const [i, chart] of charts.filter((chart) => chart.startsWith('<svg')).entries())
    writeResult(
      '--figures',
      join(dir, `figure-${String(i + 1).padStart(digits, '0')}.svg`),
      `${standaloneSvg(chart)}\n`,
    )
}

function dump(outcome: StepOutcome, dir: string): void {
  for (const { name, lines } of outcome.dumps ?? []) {
    let text = ''
    for (const line of lines()) text += `${line}\n`
    writeResult('--dump', join(dir, name), text)
  }
}
