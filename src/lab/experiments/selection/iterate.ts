import type { RecordedWeb } from '#archive/recorded-web.ts'
import type { Workload } from '#workload/workload.ts'
import { Sandbox, type SandboxGraph } from '../../crawls/sandbox.ts'
import { canonicalWorkload } from '../../judging/canonical-workload.ts'
import { type CorpusJudge, corpusJudge, membership } from '../../judging/corpus-judge.ts'
import { goodPages, helpfulPages } from '../../metrics/helpful-pages.ts'
import { jaccard } from '../../metrics/jaccard.ts'
import { presenceCodes } from '../../metrics/presence-codes.ts'
import type { Recipe } from '../../selection/selection.ts'

export interface IterateSetup {
  readonly web: RecordedWeb
  readonly workload: Workload
  readonly recipes: readonly Recipe[]
  /** Documents of the first crawl, and URLs of every selection after it. */
  readonly size: number
  readonly iterations: number
  /** Puts equal scores in a new random order in every iteration, and resamples queries. */
  readonly seed: number
}

/** One selection of one policy; iteration 0 is the breadth-first crawl all begin with. */
export type IterateRow = ReturnType<typeof rowOf>

export interface IterateResult {
  readonly rows: readonly IterateRow[]
  /** How alike the corpora of two policies are at one iteration. */
  readonly likenesses: ReturnType<typeof likenesses>
  /** URLs requested by all policies together. */
  readonly sandbox: number
}

/** Corpora that a presence code spans. */
const CODE_SPAN = 3

/**
 * Selects again and again, each time by the links of the corpus before only, as an engine does that keeps
 * its size and drops pages for better ones.
 *
 * @paper FetterlyCraswellVinay2009 §3.4 — a selection may repeat what failed before; it is not asked again.
 */
export function runIterate(setup: IterateSetup): IterateResult {
  const sandbox = new Sandbox(setup.web)
  const { judgments, clicks } = canonicalWorkload(setup.workload)
  // Judged and clicked URLs have numbers from the start, so that one judge serves all iterations.
  for (const { url } of [...judgments, ...clicks]) sandbox.add(url)
  const judge = corpusJudge(setup.workload, (url) => sandbox.find(url), setup.seed)
  const good = goodPages(judgments, (url) => sandbox.find(url))
  const first = sandbox.breadthFirst(setup.size)
  const clicked =
    clicks.length > 0 ? new Set(clicks.map(({ url }) => sandbox.find(url)!)) : undefined
  const generations = setup.recipes.map((recipe) =>
    generationsOf(recipe, first, { ...setup, sandbox, judge, good, clicked }),
  )
  return {
    rows: generations.flatMap(({ rows }) => rows),
    likenesses: likenesses(setup, generations),
    sandbox: sandbox.requested,
  }
}

interface Shared extends IterateSetup {
  readonly sandbox: Sandbox
  readonly judge: CorpusJudge
  readonly good: Uint32Array
  readonly clicked: ReadonlySet<number> | undefined
}

interface Generations {
  readonly rows: readonly IterateRow[]
  /** Documents of each iteration from 0 on, ascending. */
  readonly corpora: readonly Uint32Array[]
}

function generationsOf(recipe: Recipe, first: Uint32Array, shared: Shared): Generations {
  const { sandbox, judge, size, iterations, seed, clicked, good } = shared
  const corpora = [first.slice().sort()]
  const rows = [rowOf(recipe.name, 0, first, corpora, null, shared)]
  let corpus = first
  for (let iteration = 1; iteration <= iterations; iteration++) {
    const graph = sandbox.graphOf(corpus, seed)
    const selected = recipe
      .on(graph.facts, { clicked: localNumbers(graph, clicked), tieSeed: seed + iteration })
      .select(size)
      .map((url) => graph.urls[url])
    const helpful = judge.queries > 0 ? helpfulCount(graph, corpus.length, good) : null
    corpus = selected.filter((url) => sandbox.gives(url))
    corpora.push(corpus.slice().sort())
    rows.push(rowOf(recipe.name, iteration, selected, corpora, helpful, shared))
  }
  return { rows, corpora }
}

function rowOf(
  policy: string,
  iteration: number,
  selected: Uint32Array,
  corpora: readonly Uint32Array[],
  helpful: number | null,
  { sandbox, judge, good }: Shared,
) {
  const corpus = corpora[iteration]
  const [{ maxNdcg, ciLow, ciHigh }] = judge.worthsOf([membership(selected, sandbox.size)])
  const isGood = membership(good, sandbox.size)
  const span = iteration >= CODE_SPAN ? corpora.slice(-CODE_SPAN) : undefined
  return {
    policy,
    iteration,
    /** URLs selected, and of these documents. */
    ...{ size: selected.length, fetched: corpus.length },
    ...{ maxNdcg, ciLow, ciHigh },
    /** Of the documents. */
    actualMaxNdcg: judge.maxNdcgOf(membership(corpus, sandbox.size)),
    /** Likeness of this corpus and the one before. */
    jaccardPrevious: iteration === 0 ? null : (jaccard(corpora[iteration - 1], corpus) ?? null),
    /** Documents by presence in the last three corpora, this one included, as in '011'; and those judged good. */
    codes: span ? presenceCodes(span).codes : null,
    goodCodes: span ? presenceCodes(span, isGood).codes : null,
    /** Pages of the corpus before that link to a good page, for this selection to go by; null if none is judged. */
    helpful,
  }
}

/** The corpus's own pages are the first of its graph. */
function helpfulCount(graph: SandboxGraph, corpusSize: number, good: Uint32Array): number {
  const goodHere = localNumbers(graph, new Set(good)) ?? new Uint32Array()
  return helpfulPages(graph.facts.links, graph.facts.visits.subarray(0, corpusSize), goodHere)
    .length
}

/** Those URLs of the graph that are in a set of the sandbox's, by the graph's numbers. */
function localNumbers(
  { urls }: SandboxGraph,
  wanted: ReadonlySet<number> | undefined,
): Uint32Array | undefined {
  if (!wanted) return undefined
  const found: number[] = []
  urls.forEach((url, number) => {
    if (wanted.has(url)) found.push(number)
  })
  return Uint32Array.from(found)
}

function likenesses({ recipes, iterations }: IterateSetup, generations: readonly Generations[]) {
  const pairs = recipes.flatMap((_, a) => recipes.slice(a + 1).map((_, i) => [a, a + 1 + i]))
  return Array.from({ length: iterations }, (_, i) => i + 1).flatMap((iteration) =>
    pairs.map(([a, b]) => {
      const [one, other] = [a, b].map((place) => generations[place].corpora[iteration])
      const policies = [recipes[a].name, recipes[b].name] as const
      return { iteration, policies, jaccard: jaccard(one, other) ?? 0 }
    }),
  )
}
