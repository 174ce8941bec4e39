/**
 * Checks that need recorded real webs: `npm run check:archives -- FOLDER`. Each archive must read
 * without error, agree with the statistics and cover sizes that came with it, and give the same pages
 * over HTML as directly. Plans in buckets must be those of one process.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Archive } from '#archive/format/archive.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { plansInBuckets } from '#lab/buckets/plans-in-buckets.test-kit.ts'
import { coverSteps, type DiscoveryStep } from '#lab/experiments/discovery/discovery.ts'
import { discoverySite } from '#lab/revisits/discovery-site.ts'
import { evolutionOf } from '#lab/statistics/evolution.ts'
import { parseHtml } from '#parse/html/html.ts'
import type { ParsedPage } from '#parse/page/page.ts'

/** How many plans are compared, as large as to have something to choose from. */
const PLANS = { weeks: 6, budget: 100, buckets: [1, 8, 64], seed: 1 }

const folder = process.argv[2] ?? '.'
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'site.json')))
let failed = 0
let planned = 0 // plans in buckets: none where a web is too poor to make queries of
const covers: DiscoveryStep[] = []
for (const name of names) {
  const dir = join(folder, name)
  const archive = await readArchive(dir)
  const complaints = [
    ...statisticsDiffer(archive, dir),
    ...coversDiffer(archive, dir),
    ...htmlDiffers(archive),
    ...(await plansDiffer(archive)),
  ]
  for (const complaint of complaints) console.log(`${name}: ${complaint}`)
  failed += complaints.length > 0 ? 1 : 0
  console.log(`${name}: ${archive.pageCount} pages, ${archive.versionCount} versions`)
}
reportCovers(covers)
console.log(`${names.length - failed} archives agree, ${failed} do not`)
process.exitCode = failed > 0 || planned === 0 ? 1 : 0

function statisticsDiffer(archive: Archive, dir: string): string[] {
  const { steps } = evolutionOf(archive)
  return recordedRows(dir).flatMap((row) => {
    const step = steps.find(({ snapshot }) => snapshot === row.t)
    const found = step && {
      new: step.born,
      direct: step.direct,
      chain: step.chain,
      orphan: step.orphan,
    }
    const expected = { new: row.new, direct: row.direct, chain: row.chain, orphan: row.orphan }
    const same = JSON.stringify(found) === JSON.stringify(expected)
    return same
      ? []
      : [`snapshot ${row.t}: ${JSON.stringify(found)} should be ${JSON.stringify(expected)}`]
  })
}

/** The statistics that came with an archive, one row for every step. */
function recordedRows(dir: string): Record<string, number>[] {
  const path = join(dir, 'stats.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')).rows ?? []) : []
}

/** Greedy covers may differ by one where gains tie; what is reached may not. */
function coversDiffer(archive: Archive, dir: string): string[] {
  const steps = coverSteps(discoverySite(archive))
  covers.push(...steps)
  return recordedRows(dir).flatMap((row) => {
    const step = steps.find(({ t }) => t === row.t)
    const same =
      step !== undefined &&
      Math.abs(step.cover90 - row.c90) <= 1 &&
      Math.abs(step.cover100 - row.c100) <= 1 &&
      step.covered100 === row.n100 &&
      step.history === row.histAll
    const { c90, c100, n100, histAll } = row
    return same
      ? []
      : [
          `covers: ${JSON.stringify(step)} should be ${JSON.stringify({ c90, c100, n100, histAll })}`,
        ]
  })
}

/** The overhead of greedy covers, and what history could lead to, over all archives. */
function reportCovers(steps: readonly DiscoveryStep[]): void {
  const sum = (count: (step: DiscoveryStep) => number) =>
    steps.reduce((total, step) => total + count(step), 0)
  const reached = sum((step) => step.covered100)
  if (reached === 0) return
  const percent = (part: number) => `${((100 * part) / reached).toFixed(1)} %`
  console.log(
    `${reached} new pages led to: covers of ${percent(sum((step) => step.cover100))}, history leads to ${percent(sum((step) => step.history))}`,
  )
}

/**
 * Every live page of the last snapshot, rendered and parsed, against what the lab gives directly. What is boilerplate an
 * archive knows from many pages of a site, and a parser guesses from one: that may differ.
 */
function htmlDiffers(archive: Archive): string[] {
  const web = new RecordedWeb(archive, archive.snapshotCount - 1)
  return web.hosts().flatMap((host) =>
    web.liveUrls(host).flatMap((url) => {
      const answer = web.answer(url)
      if (answer.kind !== 'page') return []
      const parsed = parseHtml(web.htmlOf(answer.version), url)
      return isDeepStrictEqual(withoutAsides(parsed), withoutAsides(answer.page))
        ? []
        : [`${url} differs over HTML`]
    }),
  )
}

function withoutAsides({ asides: _, ...page }: ParsedPage): Omit<ParsedPage, 'asides'> {
  return page
}

/** A crawl of the first weeks, by queries that the crawl makes of its own pages. */
async function plansDiffer(archive: Archive): Promise<string[]> {
  const plans = await plansInBuckets(archive, { ...PLANS, queries: [] })
  const fetches = plans.reduce((sum, plan) => sum + plan.fetches, 0)
  console.log(`  ${plans.length} plans in buckets, ${fetches} fetches`)
  planned += plans.length
  return plans
    .filter(({ isSame }) => !isSame)
    .map(({ week, buckets }) => `week ${week}: ${buckets} buckets plan otherwise`)
}
