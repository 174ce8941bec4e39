import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { reportPage } from '#lab/report/report-page.ts'
import { UsageError } from '#parse/usage-error.ts'
import { SCORINGS } from '#search/default-search.ts'
import type { ExperimentResult } from './experiment.ts'
import { EXPERIMENTS } from './experiments.ts'
import { several, wholeNumber } from './options.ts'
import { outputFor, table } from './output.ts'
import { Progress } from './progress.ts'
import { version } from './version.ts'

interface RunOptions {
  archive?: readonly string[]
  policies?: string
  sizes?: string
  base?: number
  at?: number
  scoring?: string
  seed: number
  out?: string
  report?: string
  dump?: string
  json?: boolean
}

export function addRunCommand(lab: Command): void {
  lab
    .command('run')
    .description('run an experiment on recorded webs')
    .argument('<experiment>', Object.keys(EXPERIMENTS).join(', '))
    .option('--archive <dir>', 'the archive to use; may be repeated', several)
    .option('--policies <names>', 'policies to compare, separated by commas (default: all)')
    .option(
      '--sizes <numbers>',
      'selection: pages to select, separated by commas (default: shares of what is known)',
    )
    .option(
      '--base <n>',
      'selection: requests of the base crawl (default: all it can reach)',
      wholeNumber(1),
    )
    .option('--at <snapshot>', 'which snapshot (default: the last)', wholeNumber(0))
    .option('--scoring <name>', `search: ${Object.keys(SCORINGS).join(', ')}`)
    .option('--seed <n>', 'draws lots between equal scores', wholeNumber(0), 1)
    .option('--out <file>', 'write the result as JSON')
    .option('--report <file>', 'write a report with pictures as HTML')
    .option('--dump <dir>', 'write the raw selections, one file a policy and size')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Example:
  forager lab run selection --archive modelweb --policies bfs,indegree,pagerank \\
    --sizes 1000,2000,5000 --out out.json --report report.html --dump selected/`,
    )
    .action(runExperiment)
}

async function runExperiment(name: string, options: RunOptions): Promise<void> {
  const output = outputFor(options)
  if (!Object.hasOwn(EXPERIMENTS, name))
    throw new UsageError(
      `there is no experiment "${name}": choose one of ${Object.keys(EXPERIMENTS).join(', ')}`,
    )
  const archive = options.archive ?? []
  if (archive.length === 0)
    throw new UsageError(
      'name at least one recorded web with --archive DIR; forager lab generate makes one',
    )
  let progress: Progress | undefined
  const found = await EXPERIMENTS[name].run({
    ...options,
    archive,
    onProgress: (done, total, what) => {
      progress ??= new Progress(name, 'steps', total, 0, !output.json)
      progress.update(done, what)
    },
  })
  progress?.clear()
  if (options.out !== undefined)
    writeResult('--out', options.out, `${JSON.stringify(found.result, null, 1)}\n`)
  if (options.report !== undefined)
    writeResult('--report', options.report, reportOf(found, options.seed))
  if (options.dump !== undefined) dump(found, options.dump)
  output.result(found.result, () =>
    found.tables
      .map(({ caption, header, rows }) => `${caption}\n${table(header, rows)}`)
      .join('\n\n'),
  )
  for (const file of [options.out, options.report, options.dump])
    if (file) output.note(`wrote ${file}`)
}

function reportOf(found: ExperimentResult, seed: number): string {
  const command = ['forager', ...process.argv.slice(2)].join(' ')
  return reportPage({ ...found, provenance: { command, seed, version, archives: found.archives } })
}

function dump(found: ExperimentResult, dir: string): void {
  for (const { name, lines } of found.dumps)
    writeResult(
      '--dump',
      join(dir, name),
      lines()
        .map((line) => `${line}\n`)
        .join(''),
    )
}

/** Makes the folders on the way, as `--out results/today/out.json` expects. */
function writeResult(flag: string, file: string, content: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw cause
    throw new UsageError(`${flag}: ${file} cannot be written (${code}); choose another place`, {
      cause,
    })
  }
}
