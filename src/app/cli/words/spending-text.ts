import type { Spending, Tasks } from '#library/status/spending.ts'
import { PURPOSES } from '#policy/bids.ts'
import { totalOf } from '#policy/budget/added-bids.ts'
import { said } from '../../text/said.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { shortNumber } from '../terminal/output.ts'

/** 62 % new pages, 30 % copies, 8 % links. */
export function tasksText(tasks: Tasks): string {
  const all = Math.max(1, totalOf(tasks))
  return PURPOSES.map(
    (task) => `${Math.round((100 * tasks[task]) / all)} % ${TASK_NAMES[task]}`,
  ).join(', ')
}

/** For a progress line; nothing while only new pages are fetched, at no price. */
export function spendingWords({ tasks, price }: Pick<Spending, 'tasks' | 'price'>): string[] {
  const hasChoice = totalOf(tasks) > tasks.acquire || price !== undefined
  return said(hasChoice && tasksText(tasks), price !== undefined && `price ${shortNumber(price)}`)
}
