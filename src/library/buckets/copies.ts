import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Frontier } from '#frontier/frontier.ts'
import type { WatchTally } from '#learn/alarms/regime-watch.ts'
import { CHANGE_RATES } from '#learn/change-history.ts'
import type { GainTally } from '#learn/gain-history.ts'
import type { GoneTally } from '#learn/gone-history.ts'
import type { Lessons } from '#learn/lessons.ts'
import { type Totals, totalsOf } from '#numeric/tally.ts'
import { octaveOf, sharedSpreads } from '#policy/refresh/rate-priors.ts'
import { readJson } from '#repository/buckets/buckets-folder.ts'
import { packed, unpacked } from '#repository/buckets/packed-columns.ts'
import { type LearnSums, type OpenBuckets, SUMS } from './buckets-crawl.ts'

/** What a bucket's copies have taught about any copy; others add theirs. */
export type CopyTally = {
  readonly gains: GainTally
  readonly gone: GoneTally
  readonly watch: WatchTally
  readonly held: { readonly pages: number; readonly inLinks: number }
}

/** What all copies have taught by an epoch's beginning. */
export interface SharedCopies {
  readonly totals: Totals<CopyTally>
  /** How rates of change are spread: in all, and by octave of in-links. */
  readonly spreads: { readonly all: number[]; readonly byOctave: (number[] | null)[] }
}

/** A file of an epoch that the driver makes, and one of each step. */
export const COPIES = 'copies.json'
const RATES = 'rates.json'
/** So many pages show how rates are spread. */
const MOST_SAMPLED = 20_000

/** Sums up what all buckets came to in the epoch before. */
export async function shareCopies(opened: OpenBuckets, epoch: number): Promise<void> {
  const { folder, crawl } = opened
  await folder.makeJson(folder.ofEpoch(epoch, COPIES), (): SharedCopies | null => {
    if (epoch === 1) return null
    const parts = Array.from({ length: crawl.buckets }, (_, bucket) =>
      folder.partOf(epoch - 1, 'learn', bucket),
    )
    const tallies = parts.map((part) => readJson<LearnSums>(join(part, SUMS)).copies!)
    const { all, byOctave } = sharedSpreads(mergedRates(parts))
    return {
      totals: totalsOf(tallies),
      spreads: { all: [...all], byOctave: byOctave.map((spread) => (spread ? [...spread] : null)) },
    }
  })
}

/** Tells lessons, before they are learnt, what all buckets have taught. */
export function judgeByAll({ totals }: SharedCopies, { histories, watch }: Lessons): void {
  histories.gains.judgeBy(totals.gains)
  histories.gone.judgeBy(totals.gone)
  watch.judgeBy(totals.watch)
}

/** And before plans are made, how often pages change. */
export function spreadAsAll(
  { spreads }: SharedCopies,
  { changes }: Lessons['histories'],
  ties: Uint32Array,
): void {
  const byOctave = spreads.byOctave.map((spread) =>
    spread ? Float64Array.from(spread) : undefined,
  )
  changes.judgeBy({ all: Float64Array.from(spreads.all), byOctave, ties })
}

/** What others need of a bucket's copies. */
export function copyTally(
  { histories, watch }: Lessons,
  frontier: Frontier,
  at: number,
): CopyTally {
  const { pages } = frontier.refreshFacts(at)
  let inLinks = 0
  for (const page of pages) inLinks += frontier.inLinksOf(page)
  return {
    ...{ gains: histories.gains.tally, gone: histories.gone.tally, watch: watch.tally },
    held: { pages: pages.length, inLinks },
  }
}

type Rates = {
  readonly low: Uint32Array
  readonly octaves: Uint32Array
  readonly rows: Float64Array
}

/** How copies of a bucket changed, of a sample by the lowest hashes; as text for a file. */
export function sampledRates({ histories }: Lessons, frontier: Frontier, at: number): string {
  const { low, high } = frontier.urls.hashes()
  const { pages } = frontier.refreshFacts(at)
  const row = new Float64Array(CHANGE_RATES.length)
  const sampled = pages
    .filter((page) => histories.changes.likelihoods(page, row, 0))
    .sort((a, b) => low[a] - low[b] || high[a] - high[b])
    .subarray(0, MOST_SAMPLED)
  const rows = new Float64Array(sampled.length * row.length)
  for (const [i, page] of sampled.entries())
    histories.changes.likelihoods(page, rows, i * row.length)
  const octaves = sampled.map((page) => octaveOf(frontier.inLinksOf(page)))
  return JSON.stringify(packed({ low: sampled.map((page) => low[page]), octaves, rows }))
}

export const ratesPath = (folder: string): string => join(folder, RATES)

/** The samples of all buckets as one bucket would have sampled. */
function mergedRates(folders: readonly string[]): Pick<Rates, 'octaves' | 'rows'> {
  const size = CHANGE_RATES.length
  const all = folders
    .map(ratesPath)
    .filter(existsSync)
    .flatMap((path) => {
      const { low, octaves, rows } = unpacked<Rates>(readJson(path))
      return Array.from(low, (hash, i) => ({
        ...{ hash, octave: octaves[i], row: rows.subarray(i * size, (i + 1) * size) },
      }))
    })
    .sort((a, b) => a.hash - b.hash || a.octave - b.octave)
    .slice(0, MOST_SAMPLED)
  const rows = new Float64Array(all.length * size)
  for (const [i, { row }] of all.entries()) rows.set(row, i * size)
  return { octaves: Uint32Array.from(all, ({ octave }) => octave), rows }
}
