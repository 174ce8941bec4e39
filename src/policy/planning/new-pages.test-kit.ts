import type { Lessons } from '#learn/lessons.ts'
import { REGISTRY } from '../registry/registry.ts'
import { NewPagesPlanner } from './new-pages-planner.ts'

/** A policy for new pages that looks at links alone, at work on a crawl. */
export function newPagesBy(
  name: string,
  { lessons }: { readonly lessons: Lessons },
): NewPagesPlanner {
  return new NewPagesPlanner(REGISTRY.named(name)!, lessons)
}
