import { mixHash } from '#numeric/hash.ts'
import type { FeatureTable } from '#numeric/learning/feature-table.ts'
import { seededRandom } from '#numeric/random.ts'
import { MOST_EACH, PAIR_FEATURES, type Pairs } from '#policy/acquire/pairs/pair-features.ts'
import { fitPairs, pairWorths, predictPairs } from '#policy/acquire/pairs/pair-model.ts'
import { surveyOf } from '#policy/acquire/survey.ts'
import { TOP_K } from '#policy/facts/worth.ts'
import { type KnowingCrawl, knowingCrawl } from '../../contexts/knowing-crawl.ts'
import { type CONTENTS, CONTEXTS, type Finding, KnownWords } from '../../contexts/known-words.ts'
import { saidBy, saidColumns, saidUpTo, TRUE_SCORE } from '../../contexts/said-columns.ts'
import { widerWords } from '../../contexts/wider-words.ts'
import type { AnswerTruth } from '../../judging/answer-truth.ts'
import { splitQueries } from '../../judging/query-split.ts'

/** Pages that contexts or contents find for a query, beside those that `impact` looks at. */
const MOST_FOUND = 20

/** What is known of pages not fetched: what describes pairs, and what finds some beside addresses, anchors and links. */
interface Knowledge {
  readonly columns: readonly string[]
  readonly finds?: Finding
}

const contents = (content: (typeof CONTENTS)[number], columns: readonly string[]): Knowledge => ({
  columns,
  finds: content,
})

/** Each of the contexts with those before it; each of the contents alone. */
export const KNOWN: Readonly<Record<string, Knowledge>> = {
  names: { columns: [] },
  ...Object.fromEntries(
    CONTEXTS.map((place, i) => [
      i === 0 ? place : `+ ${place}`,
      {
        columns: CONTEXTS.slice(0, i + 1).flatMap((one) => [saidBy(one), saidUpTo(one)]),
        finds: 'contexts',
      },
    ]),
  ),
  opening: contents('opening', [saidBy('opening'), saidUpTo('opening')]),
  words: contents('words', [saidBy('words'), saidUpTo('words')]),
  score: contents('words', [TRUE_SCORE]),
}

/** How well pages are told by what is known of them. */
export interface ContextRow {
  readonly knows: string
  /** Pages known and not fetched, and those with a context. */
  readonly pages: number
  readonly withContext: number
  /** The share of the right pairs that is looked at. */
  readonly lookedAt: number
  /** Average precision of all pairs: is the page among the first ten when everything is held? */
  readonly precision: number
  /** Share of the places among the first ten that the best tenth of the pages has, of what all of them have. */
  readonly impact: number
}

interface ContextCase {
  /** The share of the pages that is held. */
  readonly share: number
  readonly split: number
  readonly seed: number
}

/** A crawl of random pages learns what pairs are worth from them, and tells those of pages it does not hold. */
export async function runContexts(
  truth: AnswerTruth,
  { share, split, seed }: ContextCase,
): Promise<ContextRow[]> {
  const { web } = truth
  const random = seededRandom(seed).fork(`split ${split}`)
  const { training } = splitQueries(truth.queries, 'log', random.fork('queries'))
  const pages = random.fork('pages').shuffle([...truth.pages])
  const held = pages.slice(0, Math.round(share * pages.length))
  const crawl = await knowingCrawl(truth, held, training, seed + split)
  const known = new KnownWords(web.archive, web.snapshot, held)
  const { candidates, visits } = crawl.facts
  const goals = goalsOf(crawl, truth)
  const goalCount = goals.reduce((count, own) => count + own.size, 0)
  const pairsBy = new Map<Finding | undefined, Lessons>()
  const withContext = candidates.filter((url) => known.hasContext(crawl.pageOf(url)!)).length
  return Object.entries(KNOWN).map(([knows, { columns, finds }]) => {
    if (!pairsBy.has(finds)) {
      const [taught, asked] = [visits, candidates].map((urls) =>
        described(crawl, truth, known, urls, finds),
      )
      pairsBy.set(finds, { taught, worths: pairWorths(crawl.facts, taught), asked })
    }
    const { taught, worths, asked } = pairsBy.get(finds)!
    const { model } = fitPairs(withOnly(taught, columns), worths)
    // Pairs alone are looked at, so no model of pages is asked.
    const facts = { ...crawl.facts, model: { ...model, pages: model.pairs[0], pagesSeen: 0 } }
    const predicted = predictPairs(facts, withOnly(asked, columns))
    const right = asked.urls.filter((url, row) => goals[asked.queries[row]].has(url)).length
    return {
      ...{ knows, pages: candidates.length, withContext },
      lookedAt: right / goalCount,
      precision: averagePrecision(asked, predicted, goals) / goalCount,
      impact: impactOfBest(crawl, asked, predicted, goals),
    }
  })
}

/** Pairs to learn from with what they are worth, and those to be told. */
interface Lessons {
  readonly taught: Pairs
  readonly worths: Float64Array
  readonly asked: Pairs
}

/** Pairs of all queries with some URLs, with all columns. */
function described(
  crawl: KnowingCrawl,
  truth: AnswerTruth,
  known: KnownWords,
  urls: Uint32Array,
  finds: Finding | undefined,
): Pairs {
  const { facts, pageOf, urlOf } = crawl
  const pages = Array.from(urls, (url) => pageOf(url) ?? -1)
  const found = (query: number) => {
    const terms = known.weighed(facts.queries[query].text)
    const best = finds === undefined ? [] : known.pagesSaid(terms, pages, finds, MOST_FOUND)
    return best.map(urlOf).filter((url) => url !== undefined)
  }
  const words = widerWords(facts.words, found)
  const { finder, isSurveyed } = surveyOf({ ...facts, words }, urls)
  const pairs = finder.find(facts.queries.keys(), isSurveyed, () => MOST_EACH)
  const said = saidColumns(crawl, truth, known, pairs)
  const { names, columns, rows } = pairs.table
  const table = {
    names: [...names, ...said.names],
    columns: [...columns, ...said.columns],
    rows,
  }
  return { ...pairs, table }
}

/** What `impact` knows of pairs, and some of the columns beside it. */
function withOnly(pairs: Pairs, wanted: readonly string[]): Pairs {
  const { names, columns, rows } = pairs.table
  const isKept = names.map((name) => PAIR_FEATURES.includes(name) || wanted.includes(name))
  const table: FeatureTable = {
    names: names.filter((_, i) => isKept[i]),
    columns: columns.filter((_, i) => isKept[i]),
    rows,
  }
  return { ...pairs, table }
}

/** By query: the URLs that are not fetched and would be among its first ten. */
type Goals = readonly ReadonlySet<number>[]

function goalsOf({ facts, urlOf }: KnowingCrawl, truth: AnswerTruth): Goals {
  const numbers = new Map(truth.queries.map(({ text }, query) => [text, query]))
  const isCandidate = new Set<number | undefined>(facts.candidates)
  return facts.queries.map(({ text }) => {
    const { pages } = truth.answersOf(numbers.get(text)!)
    const urls = Array.from(pages.subarray(0, TOP_K), urlOf)
    return new Set(urls.filter((url) => url !== undefined && isCandidate.has(url)) as number[])
  })
}

/** Times the number of right pairs. */
function averagePrecision({ queries, urls }: Pairs, predicted: Float64Array, goals: Goals): number {
  const tie = (row: number) => mixHash(queries[row], urls[row])
  const order = predicted
    .map((_, row) => row)
    .sort((a, b) => predicted[b] - predicted[a] || tie(a) - tie(b))
  let [found, sum] = [0, 0]
  order.forEach((row, i) => {
    if (goals[queries[row]].has(urls[row])) sum += ++found / (i + 1)
  })
  return sum
}

/** Pages go by what all queries expect of them. */
function impactOfBest(
  { facts }: KnowingCrawl,
  { queries, urls }: Pairs,
  predicted: Float64Array,
  goals: Goals,
): number {
  const expected = new Float64Array(facts.domains.length)
  const came = new Float64Array(facts.domains.length)
  for (let row = 0; row < urls.length; row++)
    expected[urls[row]] += facts.queries[queries[row]].weight * predicted[row]
  for (const [query, { weight }] of facts.queries.entries())
    for (const url of goals[query]) came[url] += weight
  const best = facts.candidates
    .toSorted((a, b) => expected[b] - expected[a] || a - b)
    .subarray(0, Math.ceil(facts.candidates.length / 10))
  const sumOver = (some: Uint32Array) => some.reduce((sum, url) => sum + came[url], 0)
  return sumOver(best) / sumOver(facts.candidates)
}
