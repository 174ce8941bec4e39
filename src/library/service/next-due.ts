import type { Frontier } from '#frontier/frontier.ts'

/** When the next URL will be due that is not yet: it may be tried again, or its copy is no longer fresh. */
export function nextDue(frontier: Frontier, now: number, freshForSeconds: number): number {
  const visits = frontier.lastVisits()
  let due = Number.POSITIVE_INFINITY
  for (let url = 0; url < frontier.size; url++) {
    const staleAt = frontier.stateOf(url) === 'page' ? visits[url] + freshForSeconds : 0
    const at = Math.max(frontier.retryAtOf(url), staleAt)
    if (at > now && at < due) due = at
  }
  return due
}
