import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readArchive } from '#archive/format/read-archive.ts'
import { readSite } from '#archive/format/read-site.ts'
import { type ArchiveStatistics, archiveStatistics } from '#lab/statistics/archive-statistics.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import { EXPERIMENTS } from '../../experiments/experiments.ts'
import { UsageError } from '../../text/usage-error.ts'
import { outputFor, table } from '../terminal/output.ts'

interface ListOptions {
  statistics?: boolean
  json?: boolean
}

/** The flags of `forager lab list`, and what it does. */
export function defineList(command: Command): void {
  command
    .option('--statistics', 'read the archives whole and tell how they link and change')
    .option('--json', 'print the lists as JSON')
    .addHelpText(
      'after',
      `
Examples:
  forager lab list
  forager lab list modelweb archives/`,
    )
    .action(runList)
}

async function runList(named: readonly string[], options: ListOptions): Promise<void> {
  const dirs = named.length > 0 ? named : ['.']
  const archives: Awaited<ReturnType<typeof describeArchive>>[] = []
  for (const dir of dirs.flatMap(archivesIn))
    archives.push(await describeArchive(dir, options.statistics === true))
  const experiments = Object.entries(EXPERIMENTS).map(([name, { summary }]) => ({ name, summary }))
  const policies = REGISTRY.all().map(({ name, summary, task }) => ({ name, summary, task }))
  outputFor(options).result({ archives, experiments, policies }, () =>
    [
      archives.length === 0
        ? `no archives in ${dirs.join(', ')}: make one with forager lab generate --out modelweb`
        : table(
            ['archive', 'snapshots', 'from', 'to', 'pages', 'queries', 'judged'],
            archives.map((a) => [
              a.dir,
              a.snapshots,
              a.from,
              a.to,
              a.pages,
              yes(a.queries),
              yes(a.judgments),
            ]),
          ),
      ...archives.flatMap(({ statistics }) => (statistics ? ['', statisticsText(statistics)] : [])),
      '',
      table(
        ['experiment', 'what it shows'],
        experiments.map(({ name, summary }) => [name, summary]),
      ),
      '',
      table(
        ['policy', 'what it fetches first'],
        policies.map(({ name, summary }) => [name, summary]),
      ),
    ].join('\n'),
  )
}

function statisticsText(found: ArchiveStatistics): string {
  const { evolution, inDegreeTail, outLinks, anchors } = found
  return table(
    [found.archive, ''],
    [
      ['in-degree tail exponent', inDegreeTail?.exponent ?? Number.NaN],
      ['out-links, median', outLinks.median],
      ['anchor words, mean', anchors.words.mean],
      ['content changing a snapshot, share', evolution.changedShare],
      ['main text changing a snapshot, share', evolution.mainTextChangedShare],
      ['pages born a snapshot, share', evolution.bornShare],
      ['new pages linked from old ones, share', evolution.directShare],
    ],
  )
}

async function describeArchive(dir: string, withStatistics: boolean) {
  const { id, name, snapshots, start } = await readSite(dir)
  const last = snapshots[snapshots.length - 1]
  const has = (file: string) => existsSync(join(dir, file))
  return {
    dir,
    id,
    name,
    snapshots: snapshots.length,
    from: snapshots[0].date,
    to: last.date,
    pages: last.live,
    queries: has('queries.tsv.gz'),
    judgments: has('qrels.tsv.gz'),
    start,
    statistics: withStatistics ? archiveStatistics(await readArchive(dir)) : undefined,
  }
}

const yes = (value: boolean): string => (value ? 'yes' : 'no')

/** The folder itself if it is an archive, otherwise those directly below it. */
function archivesIn(dir: string): string[] {
  if (!existsSync(dir)) throw new UsageError(`${dir}: there is no such folder`)
  if (!statSync(dir).isDirectory())
    throw new UsageError(`${dir} is a file: name an archive, or a folder that holds some`)
  if (existsSync(join(dir, 'site.json'))) return [dir]
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(dir, entry.name, 'site.json')))
    .map((entry) => join(dir, entry.name))
    .sort()
}
