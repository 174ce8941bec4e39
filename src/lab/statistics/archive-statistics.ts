import type { Archive } from '#archive/format/archive.ts'
import { evolutionOf, share } from './evolution.ts'
import { powerLawTail } from './power-law-tail.ts'

const IN_DEGREE_TAIL_FROM = 5

/** A sample in a few numbers. */
interface Distribution {
  readonly mean: number
  readonly median: number
  /** The smallest value, then those below which a tenth, two tenths … of the sample lie, the largest. */
  readonly deciles: readonly number[]
}

/** What an archive looks like, in numbers that model webs and real ones can be compared by. */
export type ArchiveStatistics = ReturnType<typeof archiveStatistics>

/** Statistics of the pages that are live at an archive's last snapshot, and of how it came there. */
export function archiveStatistics(archive: Archive) {
  const last = archive.snapshotCount - 1
  const live = archive.livePages(last)
  const versions = live.map((page) => archive.versionAt(page, last)!)
  const { inDegrees, outDegrees } = degreesOf(archive, versions)
  const inDegreeTail = powerLawTail(inDegrees, IN_DEGREE_TAIL_FROM)
  return {
    archive: archive.site.id,
    snapshots: archive.snapshotCount,
    pages: archive.pageCount,
    live: live.length,
    /** Distinct linking pages of each page, self-links left out. */
    inDegrees: distributionOf(inDegrees),
    ...(inDegreeTail ? { inDegreeTail } : {}),
    /** Distinct link targets of each page, on the archive or not. */
    outLinks: distributionOf(outDegrees),
    anchors: anchorsOf(archive, versions),
    textLength: distributionOf(versions.map((version) => archive.textLengthOf(version))),
    /** Share of the characters; left out if the archive was read without text. */
    ...(archive.hasText ? { boilerplateShare: boilerplateShareOf(archive, versions) } : {}),
    evolution: evolutionOf(archive),
  }
}

function degreesOf(archive: Archive, versions: Uint32Array) {
  const lastLinker = new Int32Array(archive.pageCount).fill(-1)
  const inDegreeOf = new Uint32Array(archive.pageCount)
  const outDegrees = new Uint32Array(versions.length)
  for (const [i, version] of versions.entries()) {
    const source = archive.pageOfVersion(version)
    const outside = new Set<string>()
    archive.forEachLink(version, (link) => {
      const target = archive.linkPage(link)
      if (target === undefined) outside.add(archive.linkUrl(link))
      if (target === undefined || target === source || lastLinker[target] === source) return
      lastLinker[target] = source
      inDegreeOf[target]++
      outDegrees[i]++
    })
    outDegrees[i] += outside.size
  }
  return {
    inDegrees: versions.map((version) => inDegreeOf[archive.pageOfVersion(version)]),
    outDegrees,
  }
}

/** Words of anchors over all links, doublets included. */
function anchorsOf(archive: Archive, versions: Uint32Array) {
  const counts = new Uint8Array(archive.linkCount)
  for (let link = 0; link < counts.length; link++)
    counts[link] = Math.min(255, wordCount(archive.linkAnchor(link)))
  const words: number[] = []
  for (const version of versions) archive.forEachLink(version, (link) => words.push(counts[link]))
  const empty = words.reduce((sum, count) => sum + (count === 0 ? 1 : 0), 0)
  return { words: distributionOf(words), emptyShare: share(empty, words.length) }
}

function boilerplateShareOf(archive: Archive, versions: Uint32Array): number {
  let boilerplateChars = 0
  let chars = 0
  for (const version of versions) {
    archive.forEachBlock(version, (text, boilerplate) => {
      chars += text.length
      if (boilerplate) boilerplateChars += text.length
    })
  }
  return share(boilerplateChars, chars)
}

function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** The mean and deciles of a sample; all 0 for an empty one. */
export function distributionOf(values: ArrayLike<number>): Distribution {
  const sorted = Float64Array.from(values).sort()
  const sum = sorted.reduce((total, value) => total + value, 0)
  const deciles = Array.from({ length: 11 }, (_, tenth) => quantile(sorted, tenth / 10))
  return { mean: sum / Math.max(1, sorted.length), median: deciles[5], deciles }
}

/** Between two values, on the line that joins them. */
function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return 0
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (position - below) * (sorted[above] - sorted[below])
}
