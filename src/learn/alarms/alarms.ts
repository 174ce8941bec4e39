/** Evidence of so much, as a logarithm of odds, raises an alarm: odds of a hundred to one. */
const ALARM_AT = Math.log(100)
/** No more evidence is gathered than twice that, so that an alarm can end again. */
const MOST_EVIDENCE = 2 * ALARM_AT
/** Under the suspicion that something has changed, every second fetch would show it … */
const SUSPECTED_CHANCE = 0.5
/** … or new links come so many times as fast. */
const SUSPECTED_PACE = 5
/** A factor begins as if so much had been expected and had happened. */
const FACTOR_PRIOR = 0.25

interface Watch {
  /** When evidence began to gather. */
  readonly since: number
  evidence: number
  isAlarm: boolean
  /** Since then: what happened, and what was to be expected. */
  happened: number
  expected: number
}

/** Why a class of URLs is looked at again. */
export interface Alarm {
  readonly classNumber: number
  /** Seconds since 1970; who was visited later has been looked at. */
  readonly since: number
  /** How many times more happens than was to be expected. */
  readonly factor: number
}

/**
 * Notices when a class of URLs begins to behave unlike before: pages vanish together, or new links come in
 * a burst (Page's cumulative sums: evidence for a change is added up and never falls below 0). An alarm ends
 * when what is fetched afterwards speaks against it.
 */
export class Alarms {
  readonly #watches = new Map<number, Watch>()

  /** A fetch of the class, at which something unwelcome had that chance, and happened or not. */
  observeEvent(classNumber: number, chance: number, happened: boolean, at: number): void {
    const usual = Math.min(SUSPECTED_CHANCE, Math.max(1e-3, chance))
    const ratio = happened ? SUSPECTED_CHANCE / usual : (1 - SUSPECTED_CHANCE) / (1 - usual)
    this.#add(classNumber, Math.log(ratio), happened ? 1 : 0, usual, at)
  }

  /** A fetch of the class that was expected to bring so many, and brought so many. */
  observeCount(classNumber: number, expected: number, count: number, at: number): void {
    const evidence = count * Math.log(SUSPECTED_PACE) - (SUSPECTED_PACE - 1) * expected
    this.#add(classNumber, evidence, count, expected, at)
  }

  /** The alarm of a class, if there is one. */
  of(classNumber: number): Alarm | undefined {
    const watch = this.#watches.get(classNumber)
    if (!watch?.isAlarm) return undefined
    const { since, happened, expected } = watch
    const factor = (happened + FACTOR_PRIOR) / (expected + FACTOR_PRIOR)
    return { classNumber, since, factor: Math.max(1, factor) }
  }

  /** All there are. */
  all(): Alarm[] {
    return [...this.#watches.keys()].flatMap((number) => this.of(number) ?? [])
  }

  #add(number: number, evidence: number, happened: number, expected: number, at: number): void {
    const watch = this.#watches.get(number) ?? begun(at)
    watch.evidence = Math.min(MOST_EVIDENCE, watch.evidence + evidence)
    if (watch.evidence <= 0) {
      this.#watches.delete(number)
      return
    }
    watch.happened += happened
    watch.expected += expected
    watch.isAlarm ||= watch.evidence >= ALARM_AT
    this.#watches.set(number, watch)
  }
}

function begun(since: number): Watch {
  return { since, evidence: 0, isAlarm: false, happened: 0, expected: 0 }
}
