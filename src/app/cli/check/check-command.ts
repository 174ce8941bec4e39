import { join } from 'node:path'
import type { Command } from 'commander'
import {
  type CheckedPart,
  checkCrawl,
  reindexCrawl,
  repairCrawl,
} from '#repository/check/check-crawl.ts'
import { PARTS } from '#repository/check/parts.ts'
import type { Damage } from '#repository/damage.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { said } from '../../text/said.ts'
import { UsageError } from '../../text/usage-error.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { count, outputFor, some } from '../terminal/output.ts'

interface CheckOptions {
  repair?: boolean
  reindex?: boolean
  json?: boolean
}

/** The flags of `forager check`, and what it does. */
export function defineCheck(command: Command): void {
  addSettings(command, ['dir', 'warcDir'])
    .option('--repair', 'mend what is damaged, and say what is lost')
    .option('--reindex', 'read all pages of the index anew, as after an update of Forager')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Reads every file of a crawl's directory and says what is not as it was written. Nothing is changed without
--repair. Damaged tables are made again from the log; the damaged file is kept beside them.
An index that an older version began goes on as it was, with all pages read as English: --reindex makes
it one that tells languages apart.
Exit code 0 if all is whole, 1 if something is damaged.

Examples:
  forager check --dir mycrawl
  forager check --dir mycrawl --repair
  forager check --dir mycrawl --reindex
  forager check --dir mycrawl --json`,
    )
    .action(async (options: CheckOptions, command: Command) => {
      const { dir, warcDir = join(dir, 'warc') } = settingsOf(command).settings
      await runCheck({ dir, warcDir }, options)
    })
}

async function runCheck(
  place: { dir: string; warcDir: string },
  options: CheckOptions,
): Promise<void> {
  const { dir } = place
  if (!holdsCrawl(dir)) throw new UsageError(`there is no crawl in ${dir}: name another --dir`)
  const repaired = options.repair ? await repairCrawl(place, PARTS) : undefined
  const unread = options.reindex ? await reindexCrawl(place) : undefined
  const parts = await checkCrawl(place, PARTS)
  const isWhole = parts.every(({ damages }) => damages.length === 0)
  const lost = [...(repaired ?? []).flatMap((part) => part.lost), ...(unread ?? [])]
  const report = {
    ...{ dir, isWhole, parts },
    ...(repaired && { repaired }),
    ...((repaired || unread) && { lost }),
    ...(unread && { reindexed: true }),
  }
  outputFor(options).result(report, () =>
    [
      ...(repaired ?? []).map(({ name }) => `${name}: mended`),
      ...said(unread !== undefined && 'index: read anew'),
      ...lost.map((damage) => `  lost with ${damage.file}: ${damage.lost}`),
      ...parts.flatMap(partLines),
      ...said(!isWhole && adviceFor(dir, parts)),
    ].join('\n'),
  )
  if (!isWhole) process.exitCode = 1
}

function partLines({ name, files, bytes, damages, skipped }: CheckedPart): string[] {
  const size = files === 0 ? '' : ` (${some(files, 'file')}, ${count(bytes)} bytes)`
  if (skipped !== undefined) return [`${name}${size}: not checked, as ${skipped}`]
  if (damages.length === 0) return [`${name}${size}: whole`]
  return [`${name}${size}: damaged`, ...damages.map(damageLine)]
}

function damageLine({ file, problem, remedy, lost }: Damage): string {
  const does = remedy === undefined ? '' : `; a repair would ${remedy}`
  return `  ${file}: ${problem}${does}${lost === undefined ? '' : `; lost: ${lost}`}`
}

function adviceFor(dir: string, parts: readonly CheckedPart[]): string {
  const canMend = parts.some(({ damages }) => damages.some(({ remedy }) => remedy !== undefined))
  return canMend
    ? `to mend what can be mended: forager check --dir ${dir} --repair`
    : 'nothing more can be mended'
}
