import type { FetcherMemory } from '#crawl/ports.ts'

/** The same memory on a clock that is ahead by so many seconds: machines need not agree on what time it is. */
export function shiftedMemory(
  { hostStates = [], hostTrusts = [], robotsRecords = [] }: Partial<FetcherMemory>,
  seconds: number,
): FetcherMemory {
  const later = (at: number) => (at === 0 ? 0 : at + seconds)
  const maybe = <Name extends string>(name: Name, at: number | undefined) =>
    at === undefined ? {} : { [name]: later(at) }
  return {
    hostStates: hostStates.map((state) => ({
      ...state,
      ...{ readyAt: later(state.readyAt), backoffUntil: later(state.backoffUntil) },
    })),
    hostTrusts: hostTrusts.map((trust) => ({
      ...trust,
      ...maybe('distrustedAt', trust.distrustedAt),
    })),
    robotsRecords: robotsRecords.map((record) => ({
      ...record,
      ...{ fetchedAt: later(record.fetchedAt), validUntil: later(record.validUntil) },
      ...maybe('textAt', record.textAt),
      ...maybe('failingSince', record.failingSince),
    })),
  }
}
