import { pageRank } from '#importance/pagerank.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Workload } from '#workload/workload.ts'
import type { CorpusGraph } from '../../crawls/corpus-graph.ts'
import { canonicalWorkload } from '../../judging/canonical-workload.ts'
import { corpusJudge, membership } from '../../judging/corpus-judge.ts'
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

/** What a recipe selects at each size, and how well that could serve the searchers. */
export type SelectionLab = ReturnType<typeof prepareSelection>
export type SelectionRow = ReturnType<SelectionLab['attempt']>['rows'][number]
/** Everything the base crawl knows, judged like a selection: no policy can do better. */
export type Ceiling = SelectionLab['ceiling']

/**
 * Lets recipes select from all that a base crawl knows, and judges what they would request.
 *
 * @paper FetterlyCraswellVinay2009 §3.1 to §3.3
 */
export function prepareSelection({ graph, workload, seed, answers }: SelectionSetup) {
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
    return sizes.map((size, i) => {
      const { clicks, ...worth } = worths[i]
      return {
        policy,
        size,
        /** Fewer than `size` when a limit holds some back, or when so many are not known. */
        selected: selections[i].length,
        ...worth,
        /** Of the selected that a fetch gives a document for. */
        actualMaxNdcg: judge.maxNdcgOf((url) => sets[i](url) && isThere[url] === 1),
        clicks,
        /** Share of all PageRank that the selected hold. */
        pageRankMass: rankMass(ranks, selections[i]).share ?? 0,
      }
    })
  }
  return {
    ceiling: {
      known: urls,
      maxNdcg: judge.maxNdcgOf(() => true),
      queries: judge.queries,
      /** Judged queries that nothing judged could answer. */
      dropped: judge.dropped,
    },
    hasClicks: options.clicked !== undefined,
    /** Registrable domains among the URLs known. */
    domains: boundOf(facts.domains),
    attempt: (recipe: Recipe, sizes: readonly number[]) => {
      const selection = recipe.on(facts, options)
      return {
        rows: rowsOf(recipe.name, sizes, selection),
        /** The URLs behind a row, best first. */
        selectedUrls: ({ size }: { readonly size: number }) =>
          Array.from(selection.select(size), (url) => graph.urlOf(url)),
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
