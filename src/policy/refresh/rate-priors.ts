import { CHANGE_RATES, PriorLearner, type SharedSpreads } from '#learn/change-history.ts'
import { boundOf } from '#numeric/bound-of.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { Facts } from '../facts/facts.ts'

/** A group's spread of rates begins as that of the wider group, which counts as so many pages of its own. */
const TRUST_IN_WIDER = 5
/** In a group with fewer pages there is nothing to learn. */
const LEAST_PAGES = 5
/** More pages of a group teach nothing more. */
const ENOUGH_PAGES = 1_000

/** The prior distribution of change rates of pages. */
export interface RatePriors {
  /** Spreads, one after another: a number for each of `CHANGE_RATES`. */
  readonly spreads: Float64Array
  /** By place in `pages`: where its spread begins. */
  readonly starts: Uint32Array
}

/** What is known of a page's changes, as buckets tell it of a sample. */
interface RateSample {
  /** By row: the octave of its in-links. */
  readonly octaves: Uint32Array
  /** Rows of likelihoods of each rate. */
  readonly rows: Float64Array
}

/** The spreads of all buckets' pages, from samples in an order that does not depend on buckets. */
export function sharedSpreads({ octaves, rows }: RateSample): Omit<SharedSpreads, 'ties'> {
  const size = CHANGE_RATES.length
  const learner = new PriorLearner({
    likelihoods: (row, all, start) => {
      all.set(rows.subarray(row * size, (row + 1) * size), start)
      return true
    },
  })
  const all = learner.learn(Uint32Array.from(octaves.keys())).slice()
  const byOctave = Array.from({ length: 33 }, (_, octave) => {
    const members = Uint32Array.from(octaves.keys()).filter((row) => octaves[row] === octave)
    if (members.length < LEAST_PAGES) return undefined
    return learner.learn(members, all, TRUST_IN_WIDER, ENOUGH_PAGES).slice()
  })
  return { all, byOctave }
}

/**
 * The spreads of pages with about as many links to them, and within those of the classes, by URL, that have enough pages;
 * other pages go by the wider group. Much linked pages are looked at more and change more: what they teach must not
 * be expected of the many others.
 */
export function ratePriors({
  pages,
  classes,
  changes,
  inLinks,
}: Pick<Facts, 'pages' | 'classes' | 'changes' | 'inLinks'>): RatePriors {
  const learner = new PriorLearner(changes)
  const { shared } = changes
  const spreads = new GrowingColumn(Float64Array)
  spreads.append(shared ? shared.all : learner.learn(pages))
  const starts = new Uint32Array(pages.length)
  const learn = (places: Uint32Array, keys: Uint32Array, wider: number) =>
    largeGroups(places, keys).map((members) => {
      const prior = spreads.view().slice(wider, wider + learner.size)
      const urls = members.map((place) => pages[place])
      const start = spreads.length
      spreads.append(learner.learn(urls, prior, TRUST_IN_WIDER, ENOUGH_PAGES))
      for (const place of members) starts[place] = start
      return { members, start }
    })
  const ofPages = pages.map((page) => classes[page])
  const all = starts.map((_, place) => place)
  if (inLinks === undefined) learn(all, ofPages, 0)
  else if (shared) {
    const { byOctave, ties } = shared
    all.sort((a, b) => ties[pages[a]] - ties[pages[b]])
    for (const { members, octave } of byOctaves(all, inLinks)) {
      const wider = byOctave[octave]
      const start = wider === undefined ? 0 : spreads.length
      if (wider) spreads.append(wider)
      for (const place of members) starts[place] = start
      learn(members, ofPages, start)
    }
  } else {
    const octaves = inLinks.map(octaveOf)
    for (const { members, start } of learn(all, octaves, 0)) learn(members, ofPages, start)
  }
  return { spreads: spreads.view(), starts }
}

/** How many times one must be doubled to be more than so many links. */
export const octaveOf = (links: number): number => 32 - Math.clz32(links)

function byOctaves(places: Uint32Array, inLinks: Uint32Array) {
  return Array.from({ length: 33 }, (_, octave) => ({
    ...{ octave, members: places.filter((place) => octaveOf(inLinks[place]) === octave) },
  })).filter(({ members }) => members.length > 0)
}

/** The places that have the same key, where there are enough of them, by counting; `keys` are by place. */
function largeGroups(places: Uint32Array, keys: Uint32Array): Uint32Array[] {
  const size = boundOf(keys)
  const ends = new Uint32Array(size + 1)
  for (const place of places) ends[keys[place] + 1]++
  for (let key = 0; key < size; key++) ends[key + 1] += ends[key]
  const sorted = new Uint32Array(places.length)
  const next = ends.slice()
  for (const place of places) sorted[next[keys[place]]++] = place
  const groups: Uint32Array[] = []
  for (let key = 0; key < size; key++)
    if (ends[key + 1] - ends[key] >= LEAST_PAGES)
      groups.push(sorted.subarray(ends[key], ends[key + 1]))
  return groups
}
