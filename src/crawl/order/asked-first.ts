import type { Frontier } from '#frontier/frontier.ts'
import { QuotaState } from '#policy/budget/quota.ts'
import type { FetchLimits } from '#policy/budget/scheduler.ts'
import type { NotedFetch, Plan } from '#policy/planning/plan.ts'
import { fetchAnyway } from './second-looks.ts'

/** What was asked for and fails is tried so often, with longer and longer pauses. */
const MOST_TRIES = 9

/** The URLs that an operator asked for and that were not fetched since, in the order of asking. */
export function askedUrls(frontier: Frontier, now: number): number[] {
  return [...frontier.instructed.askedAt].flatMap(([url, at]) => {
    const mayTry =
      frontier.stateOf(url) !== 'failed' ||
      (frontier.failuresOf(url) < MOST_TRIES && frontier.retryAtOf(url) <= now)
    return mayTry && frontier.lastVisitOf(url) < at ? url : []
  })
}

/** The plan with what an operator asked for in front, in place of its last fetches. */
export function withAskedFirst(
  plan: Plan,
  asked: readonly number[],
  limits: FetchLimits,
  frontier: Frontier,
): Plan {
  const room = new QuotaState(limits)
  const first = asked.filter((url) => room.take(url)).slice(0, limits.budget)
  if (first.length === 0) return plan
  const isFirst = new Set(first)
  const { fetches, reserved, held } = plan
  const bids = new Map([...fetches, ...(reserved ?? [])].map((fetch) => [fetch.url, fetch]))
  const others = fetches.filter(({ url }) => !isFirst.has(url) && room.take(url))
  return {
    ...plan,
    fetches: [...first.map((url) => askedFetch(url, bids.get(url), frontier)), ...others].slice(
      0,
      limits.budget,
    ),
    ...(reserved && { reserved: reserved.filter(({ url }) => !isFirst.has(url)) }),
    ...(held && { held: new Set([...held].filter((url) => !isFirst.has(url))) }),
  }
}

function askedFetch(url: number, bid: NotedFetch | undefined, frontier: Frontier): NotedFetch {
  const purpose = frontier.stateOf(url) === 'page' ? 'refresh' : 'acquire'
  return fetchAnyway(url, purpose, () => 'the operator asked for it', bid)
}
