import type { GraphFacts } from '#frontier/graph-facts.ts'
import type { Policy } from '#policy/bids.ts'
import { policyNamed } from '#policy/policies.ts'
import { planFetches } from '#policy/scheduler.ts'
import type { Workload } from '#workload/workload.ts'
import { canonicalWorkload } from '../canonical-workload.ts'
import type { CorpusGraph } from '../corpus-graph.ts'
import { clickUtility } from '../metrics/click-utility.ts'
import { maxNdcg } from '../metrics/max-ndcg.ts'

export interface SelectionSetup {
  readonly archiveId: string
  readonly graph: CorpusGraph
  readonly workload: Workload
  /** Names that `policyNamed` knows. */
  readonly policies: readonly string[]
  /** How many pages to select. */
  readonly sizes: readonly number[]
  /** Draws lots between equal scores. */
  readonly seed: number
  readonly onProgress?: (progress: SelectionProgress) => void
}

export interface SelectionProgress {
  readonly policy: string
  /** Policies finished, this one included. */
  readonly done: number
  readonly of: number
}

export interface SelectionRow {
  readonly policy: string
  readonly size: number
  /** Fewer than `size` when so many are not known. */
  readonly selected: number
  /** Null when the workload has no judgments with a gain. */
  readonly maxNdcg: number | null
  /** Null when the workload has no clicks. */
  readonly clicks: number | null
}

export interface SelectionResult {
  readonly experiment: 'selection'
  readonly archive: string
  readonly rows: readonly SelectionRow[]
}

export interface SelectionRun {
  readonly result: SelectionResult
  /** The URLs behind a row, best first. */
  selectedUrls(row: SelectionRow): string[]
}

/**
 * Which pages each policy would select from all that a base crawl knows, and how well those could
 * serve the workload.
 *
 * @paper FetterlyCraswellVinay2009 §3.1 — judged by what is requested, not by what answers.
 */
export function runSelection(setup: SelectionSetup): SelectionRun {
  const { graph, sizes, seed } = setup
  const policies = setup.policies.map((name) => ({ name, policy: policyNamed(name) }))
  const workload = canonicalWorkload(setup.workload)
  const largest = Math.max(0, ...sizes)
  const orders = new Map<string, Uint32Array>()
  const rows: SelectionRow[] = []
  for (const [done, { name, policy }] of policies.entries()) {
    const order =
      name === 'bfs'
        ? crawlOrder(graph.facts, largest)
        : selectionOrder(graph.facts, policy, largest, seed)
    orders.set(name, order)
    const places = placesIn(order, graph.facts.candidates.length)
    for (const size of sizes) {
      const isHeld = (url: string) => {
        const number = graph.numberOf(url)
        return number !== undefined && places[number] < size
      }
      const { mean } = maxNdcg(workload.judgments, isHeld)
      rows.push({
        policy: name,
        size,
        selected: Math.min(size, order.length),
        maxNdcg: mean ?? null,
        clicks: workload.clicks.length > 0 ? clickUtility(workload.clicks, isHeld) : null,
      })
    }
    setup.onProgress?.({ policy: name, done: done + 1, of: policies.length })
  }
  return {
    result: { experiment: 'selection', archive: setup.archiveId, rows },
    selectedUrls: ({ policy, size }) =>
      Array.from(orders.get(policy)!.subarray(0, size), (url) => graph.urlOf(url)),
  }
}

/** The best `size` URLs by a policy, best first. */
function selectionOrder(
  facts: GraphFacts,
  policy: Policy<GraphFacts>,
  size: number,
  seed: number,
): Uint32Array {
  const plan = planFetches([policy(facts)], { budget: size, tieSeed: seed })
  return Uint32Array.from(plan, ({ url }) => url)
}

/** The base crawl as it went; then what it never requested, in the order of discovery. */
function crawlOrder({ candidates, visits }: GraphFacts, size: number): Uint32Array {
  const isVisited = new Uint8Array(candidates.length)
  for (const url of visits) isVisited[url] = 1
  const order = new Uint32Array(candidates.length)
  order.set(visits)
  order.set(
    candidates.filter((url) => !isVisited[url]),
    visits.length,
  )
  return order.slice(0, size)
}

/** Place of each URL in the order, from 0; Infinity for those not in it. */
function placesIn(order: Uint32Array, urls: number): Float64Array {
  const places = new Float64Array(urls).fill(Number.POSITIVE_INFINITY)
  order.forEach((url, place) => {
    places[url] = place
  })
  return places
}
