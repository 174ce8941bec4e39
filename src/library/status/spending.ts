import type { CycleRecord } from '#crawl/ports.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { costOf } from '#learn/entries/outcome.ts'
import type { Purpose } from '#policy/bids.ts'

/** Fetches that were paid for, by what they were for. */
export type Tasks = Readonly<Record<Purpose, number>>

/** What some fetches were for. */
export function tasksOf(fetches: readonly Pick<LoggedFetch, 'purpose' | 'outcome'>[]): Tasks {
  const tasks = { acquire: 0, refresh: 0, discover: 0 }
  for (const { purpose, outcome } of fetches) tasks[purpose] += costOf(outcome)
  return tasks
}

/** How the fetches of one run divide among tasks, cycle by cycle, and at which price. */
export class Spending {
  #tasks: Tasks = { acquire: 0, refresh: 0, discover: 0 }
  #price: number | undefined

  get tasks(): Tasks {
    return this.#tasks
  }

  /** Of the last plan that had one. */
  get price(): number | undefined {
    return this.#price
  }

  take({ fetches, price }: Pick<CycleRecord, 'fetches' | 'price'>): void {
    const now = tasksOf(fetches)
    this.#tasks = {
      acquire: this.#tasks.acquire + now.acquire,
      refresh: this.#tasks.refresh + now.refresh,
      discover: this.#tasks.discover + now.discover,
    }
    this.#price = price ?? this.#price
  }
}
