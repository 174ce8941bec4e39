import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { lookAtQueries } from '#library/queries/query-tables.ts'
import type { QueryStore } from '#repository/state/open-queries.ts'
import { UsageError } from '../../text/usage-error.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor, table } from '../terminal/output.ts'
import { addQueriesImport } from './queries-import.ts'
import { addQueriesNeedy, SYNTHETIC_NOTE } from './queries-needy.ts'

/** `forager queries`: what searchers want, and what the crawl cannot answer yet. */
export function defineQueries(queries: Command): void {
  queries.addHelpText(
    'after',
    `
Examples:
  forager queries import queries.csv --format csv
  forager queries needy`,
  )
  addQueriesImport(queries)
  addExport(queries)
  addList(queries)
  addQueriesNeedy(queries)
}

function addExport(queries: Command): void {
  addSettings(queries.command('export'), ['dir'])
    .description('write queries and clicks as UBI 1.3.0 JSON lines')
    .option('--out <file>', 'file to write; - is the standard output', '-')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', '\nExample:\n  forager queries export --dir mycrawl --out queries.jsonl')
    .action(async (options: { out: string; json?: boolean }, command: Command) => {
      const { dir } = settingsOf(command).settings
      const counted = await lookAtQueries(dir, (queries) => writeUbi(queries, options.out))
      const output = outputFor(options)
      const text = `${counted.asked.toLocaleString('en')} queries and ${counted.clicks.toLocaleString('en')} clicks written to ${options.out}`
      if (options.out === '-') output.note(text)
      else output.result({ out: options.out, ...counted }, () => text)
    })
}

async function writeUbi(
  queries: QueryStore,
  out: string,
): Promise<{ asked: number; clicks: number }> {
  let [asked, clicks] = [0, 0]
  async function* lines(): AsyncGenerator<string> {
    for await (const record of queries.export()) {
      if ('action_name' in record) clicks++
      else asked++
      yield `${JSON.stringify(record)}\n`
    }
  }
  try {
    if (out === '-') await pipeline(lines, process.stdout, { end: false })
    else await pipeline(lines, createWriteStream(out))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'ENOTDIR') throw error
    throw new UsageError(`--out ${out} cannot be written: name a file in a folder that exists`, {
      cause: error,
    })
  }
  return { asked, clicks }
}

function addList(queries: Command): void {
  addSettings(queries.command('list'), ['dir'])
    .description('show the queries of the workload, heaviest first')
    .option('--limit <n>', 'how many to show', wholeNumber(1), 50)
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExample:\n  forager queries list --dir mycrawl --limit 20')
    .action(async (options: { limit: number; json?: boolean }, command: Command) => {
      const { dir } = settingsOf(command).settings
      const workload = await lookAtQueries(dir, (queries) => queries.workload(Date.now() / 1000))
      const shown = workload.queries.slice(0, options.limit)
      const output = outputFor(options)
      if (workload.synthetic) output.note(SYNTHETIC_NOTE)
      const value = {
        dir,
        synthetic: workload.synthetic,
        total: workload.queries.length,
        queries: shown,
        judgments: workload.judgments.length,
        clickedPages: workload.clicks.length,
      }
      output.result(value, () =>
        shown.length === 0
          ? `no queries in ${dir} yet: forager queries import FILE --format csv --dir ${dir}`
          : table(
              ['weight', 'query', 'source', 'last asked'],
              shown.map(({ weight, text, source, lastSeen }) => [
                weight,
                text,
                source,
                day(lastSeen),
              ]),
            ),
      )
    })
}

function day(seconds: number | undefined): string {
  return seconds === undefined ? '' : new Date(seconds * 1000).toISOString().slice(0, 10)
}
