import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { mustBeFree, writeArchive } from '#archive/format/write-archive.ts'
import { type Capture, READ_TYPES } from '#lab/import/capture.ts'
import { importedArchive } from '#lab/import/import-archive.ts'
import { ImportedWeb } from '#lab/import/imported-web.ts'
import { WarcCaptures } from '#lab/import/warc-captures.ts'
import { gatherCaptures } from '#library/captures/gather-captures.ts'
import { recordedCrawl } from '#library/status/recorded-crawl.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { damageText, readWarc, type WarcDamage } from '#repository/warc/read/warc-reader.ts'
import { said } from '../../text/said.ts'
import { UsageError } from '../../text/usage-error.ts'
import { several, wholeNumber } from '../settings/options.ts'
import { outputFor, some } from '../terminal/output.ts'
import { Progress } from '../terminal/progress.ts'
import { mustBeWritableFolder } from '../terminal/write-result.ts'
import { noteTo } from '../words/note-text.ts'
import { day, importGit } from './lab-import-git.ts'
import { writtenArchive, writtenLines } from './written-archive.ts'

interface LabImportOptions {
  dir?: string
  warc?: readonly string[]
  cdx?: readonly string[]
  warcFrom?: string
  site?: readonly string[]
  captures: number
  git?: string
  branch?: string
  root?: string
  url?: string
  from?: string
  to?: string
  out: string
  id?: string
  name?: string
  stepDays: number
  start?: readonly string[]
  replace?: boolean
  json?: boolean
}

const SHOWN_DAMAGES = 10
/** Each may be a request to somebody's server. */
const MOST_CAPTURES = 10_000
/** Far beyond any page; what is larger is cut off. */
const MAX_BLOCK_BYTES = 1 << 25

/** The flags of `forager lab import`, and what it does. */
export function defineImport(command: Command): void {
  command
    .option(
      '--dir <folder>',
      'a crawl of forager: pages from its WARC files, its query log, its seeds, and no links out of its scope',
    )
    .option('--warc <files...>', 'WARC files, plain or gzipped')
    .option('--cdx <files...>', 'CDXJ index files, as of Common Crawl, that say where captures lie')
    .option(
      '--warc-from <place>',
      'cdx: where their WARC files are, a folder or an address as in https://data.commoncrawl.org/',
    )
    .option('--site <host>', 'cdx: only this site, as in *.example.org (repeatable)', several)
    .option('--captures <n>', 'cdx: at most so many captures', wholeNumber(1), MOST_CAPTURES)
    .option('--git <repository>', 'repository of a published static site: HTML in git')
    .option('--branch <name>', 'git: where the published site is (default: HEAD)')
    .option('--root <folder>', 'git: the folder that is published (default: all)')
    .option('--url <url>', 'git: the address of the site (default: what its CNAME file says)')
    .option('--from <day>', 'git: no snapshot before (default: the first commit)', day)
    .option('--to <day>', 'git: the day of the last snapshot (default: the last commit)', day)
    .option('--out <dir>', 'folder for the archive', 'recorded')
    .option('--id <id>', 'short name of the archive (default: that of the folder)')
    .option('--name <name>', 'its title (default: the id)')
    .option(
      '--step-days <n>',
      'a snapshot every so many days: of what was fetched in them, or as the site was at their end',
      wholeNumber(1),
      7,
    )
    .option(
      '--start <url>',
      'seed, may be repeated (default: those the files name, else the most linked home page; git: the address of the site)',
      several,
    )
    .option('--replace', 'replace an archive that is there already')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      `
Examples:
  forager lab import --dir forager-data --out recorded
  forager lab import --warc crawl-*.warc.gz --step-days 30 --start https://example.org/ --out monthly
  forager lab import --cdx index.cdxj.gz --warc-from https://data.commoncrawl.org/ --site '*.example.org' --out recorded
  forager lab import --git website --branch gh-pages --from 2024-01-01 --out weekly
  forager lab import --git docs.git --root public --url https://example.org/docs/ --out docs`,
    )
    .action(runImport)
}

async function runImport(options: LabImportOptions): Promise<void> {
  const output = outputFor(options)
  const { out, stepDays, dir, git } = options
  const named = (options.start ?? []).map(canonicalSeed)
  const id = options.id ?? basename(out)
  checkSource(options)
  // Also checked when it is written, but by then an hour may have passed.
  await mustBeFree(out, options.replace === true)
  mustBeWritableFolder('--out', dirname(resolve(out)))
  if (git !== undefined) {
    const { name = id, replace = false } = options
    return importGit({ ...options, git, id, name, start: named, replace }, output)
  }
  const startedAt = performance.now()
  const crawl = dir === undefined ? undefined : await recordedCrawl(dir)
  const files = crawl?.warcFiles ?? options.warc ?? (await gathered(options, output.note))
  const web = new ImportedWeb(crawl?.isInScope)
  const read = await readFiles(files, web, output.note, !output.json)
  if (read.captures === 0)
    throw new UsageError(
      `${files.join(', ')}: no page among ${read.records} records; name files with HTML that was answered with 200`,
    )
  const records = importedArchive(web, {
    id,
    name: options.name ?? id,
    stepDays,
    start: named.length > 0 ? named : (crawl?.seeds ?? []),
    source: {
      importer: 'forager lab import',
      files: (options.cdx ?? files).map((file) => basename(file)),
      stepDays,
    },
  })
  const { workload } = crawl ?? {}
  await writeArchive(out, { ...records, workload }, { replace: options.replace === true })
  const seconds = (performance.now() - startedAt) / 1000
  const queries = workload?.queries.length ?? 0
  const found = { ...writtenArchive(out, records), links: web.linkCount, queries, ...read, seconds }
  const left = read.damaged > 0 ? `, ${some(read.damaged, 'damaged record')} left out` : ''
  output.result(found, () =>
    said(
      `read ${some(read.captures, 'capture')} in ${some(read.files, 'file')}${left}`,
      queries > 0 && `took over ${some(queries, 'query', 'queries')} of its log`,
      ...writtenLines(found, seconds),
    ).join('\n'),
  )
}

const GIT_ONLY = ['branch', 'root', 'url', 'from', 'to'] as const

function checkSource(options: LabImportOptions): void {
  const sources = (['dir', 'warc', 'cdx', 'git'] as const).filter(
    (name) => options[name] !== undefined,
  )
  if (sources.length > 1)
    throw new UsageError(
      `${sources.map((name) => `--${name}`).join(' and ')} are two sources: import one at a time`,
    )
  if (sources.length === 0)
    throw new UsageError(
      'lab import needs a source: --dir of a crawl, --warc FILES, such as --warc *.warc.gz, --cdx FILES, or --git REPOSITORY',
    )
  const stray = GIT_ONLY.find((flag) => options.git === undefined && options[flag] !== undefined)
  if (stray) throw new UsageError(`--${stray} is for --git only: WARC files say that themselves`)
  const ofIndex = (['site', 'warcFrom'] as const).find((flag) => options[flag] !== undefined)
  if (ofIndex && !options.cdx)
    throw new UsageError(`--${ofIndex === 'site' ? 'site' : 'warc-from'} is for --cdx only`)
}

/** What an index lists, as a WARC file. */
async function gathered(
  { cdx = [], warcFrom: from, site: sites, captures: most }: LabImportOptions,
  note: (text: string) => void,
): Promise<string[]> {
  if (from === undefined)
    throw new UsageError(
      '--cdx names WARC files: say where they are, by --warc-from and a folder, or https://data.commoncrawl.org/',
    )
  const progress = new Progress('gathering', 'captures', most)
  const { file, captures, missing } = await gatherCaptures({
    ...{ cdx, from, sites, most },
    onCapture: (count) => progress.update(count),
    note: noteTo({ note }, ''),
  }).finally(() => progress.clear())
  if (captures === 0)
    throw new UsageError(
      missing > 0
        ? `none of the ${some(missing, 'capture')} could be had from ${from}: is --warc-from right?`
        : `${cdx.join(', ')}: no page that is wanted; is --site right?`,
    )
  if (missing > 0) note(`${some(missing, 'capture')} could not be had from ${from}`)
  return [file]
}

function canonicalSeed(url: string): string {
  const canonical = canonicalUrl(url)
  if (canonical === undefined)
    throw new UsageError(`--start ${url}: a full address is needed, such as https://example.org/`)
  return canonical
}

/** Reads all files into the web; damage is told and counted, and what follows it is read. */
async function readFiles(
  files: readonly string[],
  web: ImportedWeb,
  note: (text: string) => void,
  shown: boolean,
) {
  const sizes = files.map(sizeOf)
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0)
  const progress = new Progress('import', 'MB', megabytes(total), shown)
  let records = 0
  let captures = 0
  let damaged = 0
  let before = 0
  const onDamage = (damage: WarcDamage) => {
    damaged++
    progress.clear()
    if (damaged <= SHOWN_DAMAGES) note(`${damageText(damage)}; ${damageEnd(damage)}`)
    else if (damaged === SHOWN_DAMAGES + 1) note('more damage is counted, not shown')
  }
  const keep = (capture: Capture) => {
    web.add(capture)
    if (capture.kind !== 'seed') captures++
  }
  for (const [i, file] of files.entries()) {
    const told = new WarcCaptures()
    const options = { onDamage, blocksOf: READ_TYPES, maxBlockBytes: MAX_BLOCK_BYTES }
    for await (const record of readWarc(file, options)) {
      records++
      for (const capture of told.take(record)) keep(capture)
      progress.update(
        megabytes(before + record.offset),
        `${captures.toLocaleString('en')} captures`,
      )
    }
    for (const capture of told.end()) keep(capture)
    before += sizes[i]
  }
  progress.clear()
  return { files: files.length, records, captures, damaged }
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6)

function sizeOf(file: string): number {
  if (!existsSync(file)) throw new UsageError(`--warc ${file}: no such file`)
  const status = statSync(file)
  if (!status.isFile()) throw new UsageError(`--warc ${file} is a folder: name the files in it`)
  return status.size
}

function damageEnd({ isTail }: WarcDamage): string {
  return isTail ? 'what is before it was read' : 'it is left out'
}
