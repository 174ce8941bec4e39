import { expect, test } from 'vitest'
import { planCycle } from '#crawl/plan-cycle.ts'
import { leftToGain } from '#crawl/until-gain.ts'
import { modelWorld } from '#lab/budget/small-world.test-kit.ts'
import { WorldCrawl } from '#lab/worlds/world-crawl.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'

const [PAGES, BUDGET, STEP, FIRST] = [500, 330, 30, 120]

/** By plan: what the rest of the budget was expected to gain, what it surely was below, and what came. */
async function forecastsOn(seed: number) {
  const { archive, queries } = modelWorld(seed, PAGES, 2)
  const crawl = new WorldCrawl({ archive, week: 1, log: queries, seed })
  const { gains } = crawl.state.lessons
  const policy = await crawl.planner('unified')
  const forecasts: { gained: number; gain: number; upTo: number }[] = []
  for (let spent = STEP; spent < BUDGET; spent += STEP) {
    await crawl.spend(policy, STEP)
    if (spent < FIRST) continue
    await policy.renew()
    const affords = BUDGET - spent
    const plan = planCycle(crawl.state, { policy, seed }, { budget: STEP, affords }, crawl.now)
    forecasts.push({ gained: gains.gain, ...leftToGain(plan, gains, affords)! })
  }
  await crawl.spend(policy, STEP)
  return forecasts.map(({ gained, gain, upTo }) => ({ gain, upTo, came: gains.gain - gained }))
}

test.runIf(isThorough)(
  'what is expected of the rest of a budget comes, on webs that nothing was chosen on',
  async () => {
    const forecasts = (await Promise.all([101, 102, 103].map(forecastsOn))).flat()
    const logs = forecasts.map(({ gain, came }) => Math.log(gain / came))
    const ratio = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length)
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.4)
    const held = forecasts.filter(({ came, upTo }) => came <= upTo).length
    expect(held / forecasts.length).toBeGreaterThan(0.85)
  },
)
