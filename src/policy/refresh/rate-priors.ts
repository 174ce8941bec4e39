import { learntPrior } from '#frontier/change-history.ts'
import type { HistoryFacts } from '#frontier/refresh-facts.ts'

/** A class's spread of rates begins as that of all pages, which counts as so many pages of its own. */
const TRUST_IN_ALL = 5
/** In a class with fewer pages there is nothing to learn. */
const LEAST_PAGES = 5
/** More pages of a class teach nothing more. */
const ENOUGH_PAGES = 1_000

/** By class: how the change rates of its pages are thought to be spread. */
export function ratePriors({
  pages,
  classes,
  history,
}: Pick<HistoryFacts, 'pages' | 'classes' | 'history'>): (classNumber: number) => Float64Array {
  const ofAll = learntPrior(history, pages)
  const byClass = new Map<number, Float64Array>()
  for (const [number, members] of membersOf(pages, classes))
    byClass.set(number, learntPrior(history, members, ofAll, TRUST_IN_ALL, ENOUGH_PAGES))
  return (number) => byClass.get(number) ?? ofAll
}

/** The pages of each class that has enough of them, by counting. */
function* membersOf(pages: Uint32Array, classes: Uint32Array): Generator<[number, Uint32Array]> {
  let most = 0
  for (const number of classes) if (number > most) most = number
  const ends = new Uint32Array(most + 2)
  for (const number of classes) ends[number + 1]++
  for (let number = 0; number <= most; number++) ends[number + 1] += ends[number]
  const sorted = new Uint32Array(pages.length)
  const next = ends.slice()
  for (let i = 0; i < pages.length; i++) sorted[next[classes[i]]++] = pages[i]
  for (let number = 0; number <= most; number++)
    if (ends[number + 1] - ends[number] >= LEAST_PAGES)
      yield [number, sorted.subarray(ends[number], ends[number + 1])]
}
