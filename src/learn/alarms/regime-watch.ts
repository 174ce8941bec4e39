import { boundOf } from '#numeric/bound-of.ts'
import { type Alarm, Alarms } from './alarms.ts'

/** A first guess of how often a copy turns out to be gone, as if so many had been looked at. */
const FIRST_SEEN = 50
const FIRST_GONE = 0.5

/** What fetching a copy again showed. */
interface Refetched {
  readonly classNumber: number
  readonly isGone: boolean
  /** New links that were expected, if they were predicted, and that came. */
  readonly expectedLinks: number | undefined
  readonly links: number
  readonly at: number
}

/** Copies that were looked at again, and those of them that were gone. */
export type WatchTally = {
  readonly seen: number
  readonly gone: number
}

/**
 * Watches classes of URLs for a change of regime. Copies of a class that vanishes, and that were not looked
 * at since, have likely vanished too; where links come in a burst, others of the class have likely got some.
 */
export class RegimeWatch {
  readonly #vanishing = new Alarms()
  readonly #bursts = new Alarms()
  #seen = FIRST_SEEN
  #gone = FIRST_GONE

  /** What this watch has seen, to be added to others'. */
  readonly #here = { seen: 0, gone: 0 }
  #isShared = false

  /** From now on copies turn out to be gone as often as those of all buckets. */
  judgeBy({ seen, gone }: WatchTally): void {
    this.#seen = FIRST_SEEN + seen
    this.#gone = FIRST_GONE + gone
    this.#isShared = true
  }

  get tally(): WatchTally {
    return { ...this.#here }
  }

  observe({ classNumber, isGone, expectedLinks, links, at }: Refetched): void {
    this.#vanishing.observeEvent(classNumber, this.#gone / this.#seen, isGone, at)
    if (expectedLinks !== undefined)
      this.#bursts.observeCount(classNumber, expectedLinks, links, at)
    this.#here.seen++
    if (isGone) this.#here.gone++
    if (this.#isShared) return
    this.#seen++
    if (isGone) this.#gone++
  }

  /** The alarms there are: classes that vanish, and classes with a burst of links. */
  alarms(): { readonly vanishing: readonly Alarm[]; readonly bursts: readonly Alarm[] } {
    return { vanishing: this.#vanishing.all(), bursts: this.#bursts.all() }
  }
}

/** By how much alarms raise the odds, or the links, of a copy of a class, last visited then: 1 if it was looked at since. */
export function factorsOf(
  alarms: readonly Alarm[],
): (classNumber: number, lastVisit: number) => number {
  const size = boundOf(alarms.map(({ classNumber }) => classNumber))
  const [since, factors] = [new Float64Array(size), new Float64Array(size)]
  for (const alarm of alarms) {
    since[alarm.classNumber] = alarm.since
    factors[alarm.classNumber] = alarm.factor
  }
  return (number, lastVisit) => (number < size && lastVisit < since[number] ? factors[number] : 1)
}
