import { pageRank } from '#importance/pagerank.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Workload } from '#workload/workload.ts'
import type { CorpusGraph } from '../../crawls/corpus-graph.ts'
import { canonicalWorkload } from '../../judging/canonical-workload.ts'
import { type CorpusWorth, corpusJudge, membership } from '../../judging/corpus-judge.ts'
import { rankMass } from '../../metrics/rank-mass.ts'
import type { Recipe, Selection } from '../../selection/selection.ts'

export interface SelectionSetup {
  readonly graph: CorpusGraph
  readonly workload: Workload
  /** Puts equal scores in random order, and resamples queries. */
  readonly seed: number
  /** Whether a fetch of the URL would give a document. */
  readonly answers: (url: string) => boolean
}

export interface SelectionRow extends CorpusWorth {
  readonly policy: string
  readonly size: number
  /** Fewer than `size` when a limit holds some back, or when so many are not known. */
  readonly selected: number
  /** Of the selected that a fetch gives a document for. */
  readonly actualMaxNdcg: number | null
  /** Share of all PageRank that the selected hold. */
  readonly pageRankMass: number
}

/** Everything the base crawl knows, judged like a selection: no policy can do better. */
export interface Ceiling {
  readonly known: number
  readonly maxNdcg: number | null
  readonly queries: number
  /** Judged queries that nothing judged could answer. */
  readonly dropped: number
}

export interface SelectionLab {
  readonly ceiling: Ceiling
  readonly hasClicks: boolean
  /** Registrable domains among the URLs known. */
  readonly domains: number
  /** What the recipe selects at each size, and how well that could serve the searchers. */
  attempt(recipe: Recipe, sizes: readonly number[]): SelectionAttempt
}

interface SelectionAttempt {
  readonly rows: readonly SelectionRow[]
  /** The URLs behind a row, best first. */
  selectedUrls(row: SelectionRow): string[]
}

/**
 * Lets recipes select from all that a base crawl knows, and judges what they would request.
 *
 * @paper FetterlyCraswellVinay2009 §3.1 to §3.3
 */
export function prepareSelection({ graph, workload, seed, answers }: SelectionSetup): SelectionLab {
  const { facts } = graph
  const urls = facts.domains.length
  const judge = corpusJudge(workload, graph.numberOf, seed)
  const options = { clicked: clickedUrls(workload, graph), tieSeed: seed }
  const ranks = pageRank(facts.links)
  const isThere = new Uint8Array(urls)
  for (let url = 0; url < urls; url++) isThere[url] = answers(graph.urlOf(url)) ? 1 : 0

  const rowsOf = (policy: string, sizes: readonly number[], selection: Selection) => {
    const selections = sizes.map((size) => selection.select(size))
    const sets = selections.map((selected) => membership(selected, urls))
    const worths = judge.worthsOf(sets)
    return sizes.map((size, i): SelectionRow => {
      const { clicks, ...worth } = worths[i]
      return {
        policy,
        size,
        selected: selections[i].length,
        ...worth,
        actualMaxNdcg: judge.maxNdcgOf((url) => sets[i](url) && isThere[url] === 1),
        clicks,
        pageRankMass: rankMass(ranks, selections[i]).share ?? 0,
      }
    })
  }
  return {
    ceiling: {
      known: urls,
      maxNdcg: judge.maxNdcgOf(() => true),
      queries: judge.queries,
      dropped: judge.dropped,
    },
    hasClicks: options.clicked !== undefined,
    domains: boundOf(facts.domains),
    attempt: (recipe, sizes) => {
      const selection = recipe.on(facts, options)
      return {
        rows: rowsOf(recipe.name, sizes, selection),
        selectedUrls: ({ size }) => Array.from(selection.select(size), (url) => graph.urlOf(url)),
      }
    },
  }
}

/** The numbers of the clicked URLs the graph knows; undefined if the workload has no clicks. */
function clickedUrls(workload: Workload, graph: CorpusGraph): Uint32Array | undefined {
  if (workload.clicks.length === 0) return undefined
  const { clicks } = canonicalWorkload(workload)
  return Uint32Array.from(clicks.flatMap(({ url }) => graph.numberOf(url) ?? []))
}
