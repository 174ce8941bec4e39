import type { LearntFetch } from '#learn/entries/learnt-fetch.ts'
import { isNewContent, mayNotBeShown } from '#learn/text-index/index-pages.ts'
import type { Hashes64 } from '#numeric/hash.ts'
import { mainText } from '#parse/page/main-text.ts'
import { ownWordsScoring } from '#search/full-text/default-search.ts'
import type { SharedCorpus } from '#search/full-text/shared-corpus.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { gainInList } from '#search/gain/gain-in-list.ts'
import { sharesOf } from '#search/gain/top-answers.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { AskedQuery } from '../../facts/acquisition-facts.ts'
import { ANSWER_DEPTH } from '../../facts/query-answers.ts'
import type { AnswerRows } from './answer-rows.ts'

/** How queries were answered before an epoch's pages came. */
interface AnswersBefore {
  readonly queries: readonly AskedQuery[]
  readonly rows: AnswerRows
  readonly corpus: SharedCorpus
  /** With the copies as they were. */
  readonly index: TextIndex
  readonly hashes: Hashes64
}

const VISIBILITIES = Float64Array.from({ length: ANSWER_DEPTH + 3 }, (_, rank) =>
  powerVisibility(rank),
)

/**
 * By URL: the quality that searchers gained by its fetch, by its own words alone. For what links call a page is known as soon as
 * whoever links to it is fetched, in whichever bucket, and is no merit of its own. As in a cycle of one process,
 * all pages of an epoch are judged by the answers before it.
 */
export function measuredGains(
  fetches: readonly LearntFetch[],
  { queries, rows, corpus, index, hashes }: AnswersBefore,
): Map<number, number> {
  const fresh = new TextIndex(index.analyser)
  const replaced: number[] = []
  for (const fetch of fetches) {
    const { id, url } = fetch.outcome
    if (isNewContent(fetch) && fetch.duplicateOf === undefined) {
      const { page } = fetch.outcome
      const { title, language } = page
      fresh.replace(id, { url, title, text: mainText(page), anchors: [], language })
    } else if (!mayNotBeShown(fetch) && !isNewContent(fetch)) continue
    if (index.has(id)) replaced.push(id)
  }
  const gains = new Map<number, number>()
  const listed = listedScores(rows, queries.length)
  const shares = sharesOf(queries)
  for (const [query, { text }] of queries.entries()) {
    const found = fresh.search(corpus.prepare(fresh, text, ownWordsScoring), fresh.size)
    const scores = new Map(found.map(({ url, score }) => [url, score]))
    const before = corpus.prepare(index, text, ownWordsScoring)
    const { all, byHash } = listed[query]
    for (const url of new Set([...scores.keys(), ...replaced])) {
      const own = scores.get(url) ?? 0
      const old = index.scoreOf(url, before)
      if (own === old) continue
      // Its place among the answers is that of all its words.
      const stored = byHash.get(`${hashes.low[url]} ${hashes.high[url]}`) ?? old
      const truth = Math.max(0, stored + own - old)
      const gain = shares[query] * gainInList(all, VISIBILITIES, stored, truth)
      gains.set(url, (gains.get(url) ?? 0) + Math.max(0, gain))
    }
  }
  return gains
}

/** By query: the scores of its answers, falling, and by hash of the page. */
function listedScores({ queries, low, high, scores }: AnswerRows, queryCount: number) {
  const places = Array.from({ length: queryCount }, (): number[] => [])
  for (const [row, query] of queries.entries()) places[query].push(row)
  return places.map((own) => ({
    all: Float64Array.from(own, (row) => scores[row]),
    byHash: new Map(own.map((row) => [`${low[row]} ${high[row]}`, scores[row]])),
  }))
}
