import type { Lessons } from '#learn/lessons.ts'
import { REGISTRY } from '../registry/registry.ts'
import { type BudgetPlanner, newPagesPlanner } from './budget-planner.ts'

/** A policy for new pages that looks at links alone, at work on a crawl. */
export function newPagesBy(
  name: string,
  { lessons }: { readonly lessons: Lessons },
): BudgetPlanner {
  return newPagesPlanner(REGISTRY.named(name)!, lessons)
}
