import type { LeasedFetcher } from '#fetch/fleet/leased-fetcher.ts'
import { FLEET_PLANS } from '#library/run/run-crawl.ts'
import { FARM, hostName } from './farm-names.ts'

/** A plan may come so soon once all that the last one allowed is sent. */
const NEXT_PLAN_SECONDS = 0.2
const PAGES_A_HOST = 1_000

interface PacedCrawl {
  readonly fetcher: LeasedFetcher
  readonly budget: number
  readonly now: () => number
}

interface Answer {
  readonly host: number
  readonly at: number
}

/** Fetches the farm breadth first, with plans as those of a crawl with a fleet; gives each answer, and how many plans it took. */
export async function crawlPaced({ fetcher, budget, now }: PacedCrawl) {
  const known = new Set(Array.from({ length: FARM.hosts }, (_, host) => host * PAGES_A_HOST))
  const answers: Answer[] = []
  let plans = 0
  const { leastBatch, sendsAhead, newsSeconds } = FLEET_PLANS
  for (; answers.length < budget; plans++) {
    const underWay = new Set(fetcher.inFlight())
    const left = Math.max(0, budget - answers.length - underWay.size)
    const sends = Math.min(left, sendsAhead * leastBatch)
    const waiting = [...known]
      .filter((id) => !underWay.has(id))
      .sort((a, b) => pageOf(a) - pageOf(b) || a - b)
    fetcher.post({ requests: waiting.slice(0, 8 * leastBatch).map(requestFor), sends })
    const dueAt = now() + newsSeconds
    const dueWhenSent = left > sends ? now() + NEXT_PLAN_SECONDS : undefined
    for (let read = 0; read < leastBatch; read++) {
      const outcome = await fetcher.next(read > 0 ? dueAt : undefined, dueWhenSent)
      if (!outcome) break
      answers.push({ host: hostOf(outcome.id), at: outcome.at })
      known.delete(outcome.id)
      for (const id of linksOf(outcome.id)) known.add(id)
    }
    fetcher.commitCursor()
  }
  return { answers, plans }
}

const hostOf = (id: number) => Math.floor(id / PAGES_A_HOST)
const pageOf = (id: number) => id % PAGES_A_HOST

function requestFor(id: number, place: number) {
  const url = `http://${hostName(hostOf(id))}/p${pageOf(id)}`
  return { id, url, priority: -place }
}

/** As the farm's pages have them. */
function linksOf(id: number): number[] {
  const pages = [1, 2, 3, 4].map((k) => 4 * pageOf(id) + k)
  return pages.filter((page) => page < FARM.pages).map((page) => hostOf(id) * PAGES_A_HOST + page)
}
