import { UsageError } from '#app/text/usage-error.ts'
import { viewTimes } from './control/views.ts'
import { watchedCrawls } from './control/watched-crawl.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'

const LIMITS = {
  /** What a browser waits for at most, from a server that has read the crawl: the page, or the word that it takes longer. */
  answeredMs: 300,
  warmMs: 300,
  /** CPU of a crawl that is watched, of that of one that is not; the mean of all pairs. */
  cpuRatio: 1.02,
}

export default benchmark({
  about:
    'The control room over millions of URLs: every view’s time and memory, and what watching costs a crawl',
  flags: {
    ...{ part: '', dir: '', urls: 5_000_000, links: 20_000_000, fetches: 2_000_000 },
    ...{ queries: 5_000, indexed: 200_000, seed: 7, pages: 20_000, budget: 6_000, rounds: 8 },
  },
  async run({ part, ...flags }) {
    if (part !== '' && part !== 'views' && part !== 'watch')
      throw new UsageError(`--part must be views or watch, not "${part}"`)
    const views = part === 'watch' ? undefined : await viewTimes(flags)
    const watch = part === 'views' ? undefined : await watchedCrawls(flags)
    const times = [views?.views, views?.later, views?.again].flatMap((all) =>
      Object.values(all ?? {}),
    )
    const areQuick = times.every(({ warmMs }) => warmMs <= LIMITS.warmMs)
    const areTold = Object.values(views?.views ?? {}).every(
      ({ answeredMs }) => answeredMs <= LIMITS.answeredMs,
    )
    const isCheap = (watch?.cpuRatio.mean ?? 1) <= LIMITS.cpuRatio
    return { ok: mustHold(areQuick && areTold && isCheap), limits: LIMITS, ...views, watch }
  },
})
