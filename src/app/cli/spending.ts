import type { CycleRecord, LoggedFetch } from '#crawl/ports.ts'
import { costOf } from '#learn/entries/outcome.ts'
import { PURPOSES, type Purpose } from '#policy/bids.ts'
import { totalOf } from '#policy/budget/added-bids.ts'
import { shortNumber } from './output.ts'

/** Fetches that were paid for, by what they were for. */
export type Tasks = Readonly<Record<Purpose, number>>

/** The tasks as people are told of them. */
export const TASK_NAMES: Readonly<Record<Purpose, string>> = {
  acquire: 'new pages',
  refresh: 'copies',
  discover: 'links',
}

/** What some fetches were for. */
export function tasksOf(fetches: readonly Pick<LoggedFetch, 'purpose' | 'outcome'>[]): Tasks {
  const tasks = { acquire: 0, refresh: 0, discover: 0 }
  for (const { purpose, outcome } of fetches) tasks[purpose] += costOf(outcome)
  return tasks
}

/** 62 % new pages, 30 % copies, 8 % links. */
export function tasksText(tasks: Tasks): string {
  const all = Math.max(1, totalOf(tasks))
  return PURPOSES.map(
    (task) => `${Math.round((100 * tasks[task]) / all)} % ${TASK_NAMES[task]}`,
  ).join(', ')
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

  /** For a progress line; nothing while only new pages are fetched, at no price. */
  words(): string[] {
    const hasChoice = totalOf(this.#tasks) > this.#tasks.acquire || this.#price !== undefined
    return [
      ...(hasChoice ? [tasksText(this.#tasks)] : []),
      ...(this.#price === undefined ? [] : [`price ${shortNumber(this.#price)}`]),
    ]
  }
}
