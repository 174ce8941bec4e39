import type { ToldSource } from '#crawl/ports.ts'
import type { Told } from '#frontier/told.ts'

/** URLs that clients told of, each from the time on from which it may be fetched. */
export class ToldWhenDue implements ToldSource {
  readonly #now: () => number
  /** By date: most come in that order, and are put at the end. */
  readonly #later: { readonly url: string; readonly due: number }[] = []
  #due: { readonly url: string; readonly due: number }[] = []
  #given = 0

  constructor(now: () => number) {
    this.#now = now
  }

  add(url: string, due: number): void {
    if (due <= this.#now()) this.#due.push({ url, due })
    else this.#later.splice(placeFor(due, this.#later), 0, { url, due })
  }

  /** When the next of them will be due; Infinity if there is none. */
  nextDue(): number {
    return this.#due.length > 0 ? 0 : (this.#later[0]?.due ?? Number.POSITIVE_INFINITY)
  }

  hasDue(): boolean {
    return this.nextDue() <= this.#now()
  }

  waiting(): readonly Told[] {
    const now = this.#now()
    const due = placeFor(now, this.#later)
    for (const one of this.#later.splice(0, due)) this.#due.push(one)
    this.#due.sort((a, b) => a.due - b.due)
    this.#given = this.#due.length
    return this.#due.map(({ url }) => ({ url, by: 'frontier' }))
  }

  taken(): void {
    this.#due = this.#due.slice(this.#given)
  }
}

/** Where a date belongs in a list of dates that ascend. */
function placeFor(due: number, later: readonly { readonly due: number }[]): number {
  let [from, to] = [0, later.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (later[middle].due <= due) from = middle + 1
    else to = middle
  }
  return from
}
