import type { Asked } from '../harness/served-crawl.ts'
import { DELAY_MS } from './manners.ts'

/** The share of the possible rate: each host at one request per politeness delay and answer, all the time. */
export function shareOfPossible(
  asked: readonly Asked[],
  hosts: ReadonlySet<string>,
  [from, to]: readonly [from: number, to: number],
): { readonly perSecond: number; readonly share: number; readonly least: number } {
  const within = asked.filter(({ host, at }) => hosts.has(host) && at >= from && at < to)
  const byHost = Map.groupBy(within, ({ host }) => host)
  let possible = 0
  let least = Number.POSITIVE_INFINITY
  for (const host of hosts) {
    const requests = byHost.get(host) ?? []
    const answerMs = requests.reduce((sum, { at, endedAt }) => sum + endedAt - at, 0)
    const most = (to - from) / (DELAY_MS + answerMs / Math.max(1, requests.length))
    possible += most
    least = Math.min(least, requests.length / most)
  }
  const perSecond = (1_000 * within.length) / (to - from)
  return { perSecond, share: within.length / possible, least }
}

/** The longest time without any request, in milliseconds; its end may be one. */
export function longestGap(asked: readonly Asked[], from: number, to: number): number {
  const times = asked.map(({ at }) => at).filter((at) => at > from && at < to)
  const all = [from, ...times.sort((a, b) => a - b), to]
  return Math.round(Math.max(...all.slice(1).map((at, i) => at - all[i])))
}
