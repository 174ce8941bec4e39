import { type FeatureTable, GrowingTable } from '#numeric/learning/feature-table.ts'
import type { Pairs } from '#policy/acquire/pairs/pair-features.ts'
import type { AnswerTruth } from '../judging/answer-truth.ts'
import type { KnowingCrawl } from './knowing-crawl.ts'
import { CONTENTS, CONTEXTS, covered, type KnownWords, namesOf } from './known-words.ts'

/** The share of the query that one place says, and that all places up to it say, names first. */
export const saidBy = (place: string) => `said by ${place}`
export const saidUpTo = (place: string) => `said up to ${place}`
export const TRUE_SCORE = 'true score'

const NAMES: readonly string[] = [
  ...[...CONTEXTS, ...CONTENTS].flatMap((place) => [saidBy(place), saidUpTo(place)]),
  TRUE_SCORE,
]

/** What each place says of each pair, and what the page would score. */
export function saidColumns(
  { facts, pageOf }: KnowingCrawl,
  truth: AnswerTruth,
  known: KnownWords,
  { queries, urls }: Pick<Pairs, 'queries' | 'urls'>,
): FeatureTable {
  const numbers = new Map(truth.queries.map(({ text }, query) => [text, query]))
  const table = new GrowingTable(NAMES)
  table.add(urls.length)
  const { columns } = table
  const textsOf = keeping((url) => {
    const page = pageOf(url) ?? -1
    return {
      names: namesOf(facts.words.strings(url)),
      contexts: CONTEXTS.map((place) => known.contextOf(page, place)),
      contents: CONTENTS.map((place) => known.contentOf(page, place)),
    }
  })
  const asked = keeping((query) => {
    const { text } = facts.queries[query]
    const { pages, scores } = truth.answersOf(numbers.get(text)!)
    const shares = Array.from(pages, (page, i) => [page, scores[i] / scores[0]] as const)
    return { terms: known.weighed(text), scores: new Map(shares) }
  })
  for (let row = 0; row < urls.length; row++) {
    const { terms, scores } = asked(queries[row])
    const { names, contexts, contents } = textsOf(urls[row])
    const said = new Set(names)
    let column = 0
    const put = (share: number) => {
      columns[column++][row] = share
    }
    for (const context of contexts) {
      put(covered(terms, (term) => context.has(term)))
      for (const term of context) said.add(term)
      put(covered(terms, (term) => said.has(term)))
    }
    for (const content of contents) {
      put(covered(terms, (term) => content.has(term)))
      put(covered(terms, (term) => content.has(term) || names.has(term)))
    }
    put(scores.get(pageOf(urls[row]) ?? -1) ?? 0)
  }
  return table.view()
}

/** Made when first asked for. */
function keeping<Made>(make: (key: number) => Made): (key: number) => Made {
  const made = new Map<number, Made>()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key)!
  }
}
