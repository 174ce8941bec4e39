import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { namedRows } from '#repository/database/named-rows.ts'
import { openDatabaseToRead } from '#repository/database/open-database.ts'
import type { Query } from '#workload/workload.ts'

/** A fetch that was paid for. */
export interface FetchedUrl {
  readonly url: string
  readonly outcome: string
}

/** Tells an edition's crawl what searchers ask, as a user would. */
export async function importLog(
  home: string,
  folder: string,
  queries: readonly Query[],
): Promise<void> {
  const file = join(folder, 'log.csv')
  const lines = queries.map(({ text, weight }) => `"${text.replaceAll('"', '""')}",${weight}`)
  writeFileSync(file, `query,count\n${lines.join('\n')}\n`)
  await runEdition(home, ['queries', 'import', file, '--format', 'csv', ...dirOf(folder)])
}

export async function runCrawl(
  home: string,
  folder: string,
  flags: readonly unknown[],
): Promise<void> {
  await runEdition(home, ['crawl', ...flags, '--contact', 'bench@bench.test', ...dirOf(folder)])
}

function dirOf(folder: string): string[] {
  return ['--dir', join(folder, 'crawl')]
}

/** In the order in which they came; both editions call these columns the same. */
export async function fetchesOf(folder: string): Promise<FetchedUrl[]> {
  const { connection, close } = await openDatabaseToRead(join(folder, 'crawl'))
  const sql = `SELECT url, outcome FROM fetch_log JOIN url ON url.id = url_id WHERE cost > 0 ORDER BY fetch_log.id`
  const rows = await namedRows(connection, sql, { url: String, outcome: String })
  close()
  return rows
}

async function runEdition(home: string, args: readonly unknown[]): Promise<void> {
  const command = [join(home, 'bin', 'forager.js'), ...args.map(String)]
  const child = spawn(process.execPath, command, { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] })
  const [complaints] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(`${home} ended with ${child.exitCode}: ${complaints}`)
}
