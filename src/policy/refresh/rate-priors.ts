import { PriorLearner } from '#learn/change-history.ts'
import { boundOf } from '#numeric/bound-of.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { Facts } from '../facts/facts.ts'

/** A class's spread of rates begins as that of all pages, which counts as so many pages of its own. */
const TRUST_IN_ALL = 5
/** In a class with fewer pages there is nothing to learn. */
const LEAST_PAGES = 5
/** More pages of a class teach nothing more. */
const ENOUGH_PAGES = 1_000

/** How the change rates of pages are thought to be spread, by class. */
interface RatePriors {
  /** Spreads, one after another: a number for each of `CHANGE_RATES`. */
  readonly spreads: Float64Array
  /** By class of any of the pages: where its spread begins. */
  readonly starts: Uint32Array
}

/** The spreads of the classes, by URL, that have enough pages; those of all others are that of all pages. */
export function ratePriors({
  pages,
  classes,
  changes,
}: Pick<Facts, 'pages' | 'classes' | 'changes'>): RatePriors {
  const learner = new PriorLearner(changes)
  const ofAll = learner.learn(pages).slice()
  const spreads = new GrowingColumn(Float64Array)
  spreads.append(ofAll)
  const starts = new Uint32Array(boundOf(classes))
  for (const [number, members] of membersOf(pages, classes)) {
    starts[number] = spreads.length
    spreads.append(learner.learn(members, ofAll, TRUST_IN_ALL, ENOUGH_PAGES))
  }
  return { spreads: spreads.view(), starts }
}

/** The pages of each class that has enough of them, by counting. */
function* membersOf(pages: Uint32Array, classes: Uint32Array): Generator<[number, Uint32Array]> {
  const size = boundOf(classes)
  const ends = new Uint32Array(size + 1)
  for (const page of pages) ends[classes[page] + 1]++
  for (let number = 0; number < size; number++) ends[number + 1] += ends[number]
  const sorted = new Uint32Array(pages.length)
  const next = ends.slice()
  for (let i = 0; i < pages.length; i++) sorted[next[classes[pages[i]]]++] = pages[i]
  for (let number = 0; number < size; number++)
    if (ends[number + 1] - ends[number] >= LEAST_PAGES)
      yield [number, sorted.subarray(ends[number], ends[number + 1])]
}
