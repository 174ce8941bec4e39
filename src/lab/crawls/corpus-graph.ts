import type { RecordedWeb } from '#archive/recorded-web.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { SelectionFacts } from '../selection/selection-facts.ts'
import { MAX_DEPTH, Sandbox } from './sandbox.ts'

interface CorpusGraphOptions {
  /** At most so many requests; as many as there are URLs if left out. */
  readonly base?: number
  /** For policies that sample. */
  readonly seed: number
}

/** What a base crawl came to know: every URL is a candidate, numbered in the order of discovery. */
export interface CorpusGraph {
  readonly facts: SelectionFacts
  urlOf(url: number): string
  numberOf(url: string): number | undefined
}

/**
 * The graph a breadth-first crawl from the archive's seeds gets to know at one snapshot. Every
 * request counts as a visit, whatever came of it, as a crawler cannot tell in advance. A shortcut: of a whole web
 * the real crawl comes to know the same graph.
 *
 * @paper FetterlyCraswellVinay2009 §3 — a redirect is a page with exactly one link.
 */
export function corpusGraph(web: RecordedWeb, options: CorpusGraphOptions): CorpusGraph {
  const { base = Number.POSITIVE_INFINITY, seed } = options
  const sandbox = new Sandbox(web)
  const depths = new GrowingColumn(Uint16Array)
  const visits = new GrowingColumn(Uint32Array)
  const offsets = new GrowingColumn(Uint32Array)
  const targets = new GrowingColumn(Uint32Array)
  for (const _ of sandbox.seeds()) depths.push(0)
  offsets.push(0)
  // Numbers are given in the order of discovery, so the next URL to request is the next number.
  for (let number = 0; number < sandbox.size; number++) {
    if (visits.length < base && sandbox.mayRequest(number)) {
      visits.push(number)
      for (const target of sandbox.linksOf(number) ?? []) targets.push(target)
      while (depths.length < sandbox.size) depths.push(Math.min(depths.at(number) + 1, MAX_DEPTH))
    }
    offsets.push(targets.length)
  }
  const urls = Uint32Array.from({ length: sandbox.size }, (_, number) => number)
  const links = { offsets: offsets.view(), targets: targets.view() }
  const known = { links, depths: depths.view(), visits: visits.view() }
  return {
    facts: sandbox.factsOf(urls, known, seed),
    urlOf: (number) => sandbox.urlOf(number),
    numberOf: (url) => sandbox.find(url),
  }
}
