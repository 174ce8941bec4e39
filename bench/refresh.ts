import { ChangeHistory } from '#learn/change-history.ts'
import { GainHistory } from '#learn/gain-history.ts'
import { seededRandom } from '#numeric/random.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { type Facts, someFacts } from '#policy/facts/facts.ts'
import { qualityRefresh } from '#policy/refresh/quality.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { measure } from './harness/cost.ts'

const LIMIT_CPU_SECONDS = 10

export default benchmark({
  about: 'Bids of `quality` for millions of stored pages, all of which were fetched several times',
  flags: {
    pages: 5_000_000,
    visits: 3,
    classes: 2_000,
    budget: 100_000,
    seed: 7,
  },
  async run({ pages, visits, classes, budget, seed }) {
    const { result: facts, cost: learning } = await measure('learn histories', () =>
      madeUpFacts(pages, visits, classes, seed),
    )
    const { result: bids, cost } = await measure('bid', () => qualityRefresh.bids(facts))
    const { cost: planning } = await measure('plan', () => planFetches([bids], { budget }))
    return {
      ok: mustHold(cost.cpuSeconds <= LIMIT_CPU_SECONDS),
      sizes: { pages, visits, classes, budget },
      learn: learning,
      bid: cost,
      plan: planning,
      limitCpuSeconds: LIMIT_CPU_SECONDS,
    }
  },
})

/** Every page was fetched again a few times, at uneven gaps. */
function madeUpFacts(count: number, visits: number, classes: number, seed: number): Facts {
  const random = seededRandom(seed)
  const history = new ChangeHistory()
  const gains = new GainHistory()
  const clicks = new Float64Array(count)
  const ages = new Float64Array(count)
  const classOf = new Uint32Array(count)
  for (let url = 0; url < count; url++) {
    clicks[url] = random.exponential(1)
    ages[url] = random.below(200) * 86_400
    classOf[url] = random.below(classes)
    const rate = 2 ** -random.below(12)
    for (let visit = 0; visit < visits; visit++) {
      const days = 1 + random.below(60)
      const changed = random.chance(-Math.expm1(-rate * days))
      const gain = changed && random.chance(0.3) ? clicks[url] * random.next() : 0
      history.observe(url, days, changed)
      gains.observe(url, { days, changed, gain, views: clicks[url], classNumber: classOf[url] })
    }
  }
  return someFacts({
    pages: Uint32Array.from({ length: count }, (_, url) => url),
    ages,
    views: clicks,
    classes: classOf,
    changes: history,
    gains,
    ...{ copies: undefined, scorePerView: undefined, claims: undefined, gone: undefined },
    fetchesPerDay: 1,
  })
}
