import { basename, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { writeArchive } from '#archive/format/write-archive.ts'
import { CommitDays, commitCalendar } from '#lab/import/commit-calendar.ts'
import { publishedArchive } from '#lab/import/published-archive.ts'
import { PublishedImport } from '#lab/import/published-import.ts'
import { PublishedSite } from '#lab/import/published-site.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { GitRepository } from '#repository/git/git-repository.ts'
import { UsageError } from '../../text/usage-error.ts'
import type { Output } from '../terminal/output.ts'
import { addressInTrees, readRobots, readStates, treesOf } from './lab-import-git-states.ts'
import { gitImportAdvice, gitImportSummary } from './lab-import-git-summary.ts'
import { writtenArchive } from './written-archive.ts'

export interface GitImportOptions {
  readonly git: string
  readonly branch?: string
  readonly root?: string
  readonly url?: string
  readonly from?: string
  readonly to?: string
  readonly out: string
  readonly id: string
  readonly name: string
  readonly stepDays: number
  readonly start: readonly string[]
  readonly replace: boolean
}

/** Reads a day such as 2024-07-20; commander adds the flag's name to a complaint. */
export function day(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text))
    throw new InvalidArgumentError('It must be a day, such as 2024-07-20.')
  return text
}

/** Makes an archive of what a static site published, as its git repository tells. */
export async function importGit(options: GitImportOptions, output: Output): Promise<void> {
  const startedAt = performance.now()
  const { out } = options
  const history = await readHistory(options, output)
  const { records, unreachable, emptySnapshots } = publishedArchive(history.imported.web, {
    ...options,
    ...history,
    source: {
      importer: 'forager lab import',
      repository: basename(resolve(options.git)),
      branch: options.branch ?? 'HEAD',
      root: options.root,
      stepDays: options.stepDays,
    },
  })
  await writeArchive(out, records, { replace: options.replace })
  const found = {
    ...writtenArchive(out, records),
    links: lengthOf(records.links),
    commits: history.commits,
    files: history.imported.read,
    unreachable,
    emptySnapshots,
    sources: history.imported.sources,
    leftOut: { ...history.imported.leftOut, ...history.passedOver },
    seconds: (performance.now() - startedAt) / 1000,
  }
  output.result(found, () => gitImportSummary(found))
  for (const advice of gitImportAdvice(found)) output.note(advice)
}

function lengthOf(items: Iterable<unknown>): number {
  let length = 0
  for (const _ of items) length++
  return length
}

/** Reads all that the repository tells of the site. */
async function readHistory(options: GitImportOptions, output: Output) {
  const root = folderInRepository(options.root ?? '')
  const url = options.url === undefined ? undefined : siteRoot(options.url)
  const repository = await GitRepository.open(options.git)
  try {
    const days = new CommitDays()
    const tip = await repository.tipOf(options.branch)
    for await (const commit of repository.commits(tip)) days.add(commit)
    const { dates, commits, snapshotOf } = commitCalendar(days, options)
    if (repository.isShallow)
      output.note(
        `--git ${options.git} is a shallow clone: what was before ${dates[0]} is not in it (git fetch --unshallow gets it)`,
      )
    const trees = await treesOf(repository, commits, root)
    const base = url ?? (await addressInTrees(repository, trees))
    const site = new PublishedSite(base)
    const imported = new PublishedImport()
    await readStates({ repository, trees, dates, site, imported, shown: !output.json })
    await readRobots(repository, trees, base, imported)
    const snapshots = commits.map(({ id, at }, i) => ({
      date: dates[i],
      commit: id,
      committed: new Date(at * 1000).toISOString(),
    }))
    return {
      base,
      imported,
      snapshots,
      snapshotOf,
      commits: days.count,
      passedOver: site.passedOver,
    }
  } finally {
    await repository.close()
  }
}

/** `./public/` and `public` are the same folder of the repository. */
function folderInRepository(root: string): string {
  const names = root.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..') || root.includes('\n'))
    throw new UsageError(`--root ${root}: name a folder from the repository's top, such as public`)
  return names.join('/')
}

function siteRoot(text: string): string {
  const url = canonicalUrl(text)
  if (url === undefined || url.includes('?'))
    throw new UsageError(`--url ${text}: a full address is needed, such as https://example.org/`)
  return url.endsWith('/') ? url : `${url}/`
}
