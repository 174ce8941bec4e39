import type { Archive } from '#archive/format/archive.ts'
import { pageLanguage } from '#parse/language/page-language.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { Query } from '#workload/workload.ts'
import { type AnswerScores, withSlots } from '../refresh/answer-scores.ts'
import { NO_VERSION, type WeeklyPages } from '../refresh/weekly-pages.ts'

/**
 * What every content that pages ever had scores for each query. One index holds them all, with what links
 * ever called their pages, so that a score depends on the content alone and not on the week it is asked in.
 * Pages that `isIncluded` leaves out score nothing.
 */
export function versionScores(
  archive: Archive,
  pages: WeeklyPages,
  queries: readonly Query[],
  weights: Float64Array,
  scoring: Scoring,
  isIncluded: (page: number) => boolean,
): AnswerScores {
  const pageOfContent = pagesOfContents(pages)
  const index = indexOfContents(archive, pages, pageOfContent, isIncluded)
  const asked = queries.flatMap((query, i) =>
    weights[i] > 0 ? [{ query, weight: weights[i] }] : [],
  )
  const total = asked.reduce((sum, { weight }) => sum + weight, 0)
  const results = asked.map(({ query }) =>
    index.best(index.prepare(query.text, scoring), index.size).sorted(),
  )
  const offsets = new Uint32Array(pages.versions.length + 1)
  for (const list of results) for (const { url: content } of list) offsets[content + 1]++
  for (let content = 0; content < pages.versions.length; content++)
    offsets[content + 1] += offsets[content]
  const next = offsets.slice()
  const found = {
    queries: new Uint32Array(offsets[pages.versions.length]),
    scores: new Float64Array(offsets[pages.versions.length]),
  }
  results.forEach((list, query) => {
    for (const { url: content, score } of list) {
      found.queries[next[content]] = query
      found.scores[next[content]++] = score
    }
  })
  const shares = Float64Array.from(asked, ({ weight }) => weight / total)
  return withSlots(pageOfContent, shares, offsets, found)
}

function pagesOfContents({ contents, versions, weeks }: WeeklyPages): Uint32Array {
  const pageOfContent = new Uint32Array(versions.length)
  contents.forEach((content, place) => {
    pageOfContent[content] = Math.floor(place / weeks)
  })
  return pageOfContent
}

function indexOfContents(
  archive: Archive,
  { archivePages, versions }: WeeklyPages,
  pageOfContent: Uint32Array,
  isIncluded: (page: number) => boolean,
): TextIndex {
  const anchors = anchorsEver(archive)
  const index = new TextIndex(defaultAnalyser)
  versions.forEach((version, content) => {
    const page = pageOfContent[content]
    if (version === NO_VERSION || !isIncluded(page)) return
    const archivePage = archivePages[page]
    const text = archive.mainTextOf(version)
    index.replace(content, {
      url: archive.urlOf(archivePage),
      title: archive.titleOf(version),
      text,
      anchors: [...(anchors[archivePage] ?? [])],
      language: pageLanguage(text, undefined),
    })
  })
  index.flush()
  return index
}

/** By page of the archive: what links ever called it, each wording once. */
function anchorsEver(archive: Archive): Set<string>[] {
  const anchors: Set<string>[] = []
  for (let version = 0; version < archive.versionCount; version++) {
    const source = archive.pageOfVersion(version)
    archive.forEachLink(version, (link) => {
      const target = archive.linkPage(link)
      if (target === undefined || target === source) return
      anchors[target] ??= new Set()
      anchors[target].add(archive.linkAnchor(link))
    })
  }
  return anchors
}
