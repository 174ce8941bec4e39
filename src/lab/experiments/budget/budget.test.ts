import { expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { firstOf, isThorough } from '#numeric/cases.test-kit.ts'
import { seededRandom } from '#numeric/random.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import { budgetPlannerNamed, checkBudgetPolicy } from '../../budget/budget-policies.ts'
import { modelWorld } from '../../budget/small-world.test-kit.ts'
import { splitQueries } from '../../judging/query-split.ts'
import { crawlWeekly } from '../../weeks/weekly-crawl.ts'
import { BudgetBench, calibrationsOf } from './budget.ts'

const { archive, queries, truth } = modelWorld(7, 500, 7)
const bench = new BudgetBench(archive, queries, { seed: 1 })
const runs = new Map<string, ReturnType<typeof bench.crawl>>()
const caseOf = (policy: string, split = 1) =>
  ({ policy, start: 30, budget: 5, queries: 'repeated', split }) as const
const run = (policy: string) => {
  if (!runs.has(policy)) runs.set(policy, bench.crawl(caseOf(policy)))
  return runs.get(policy)!
}
const qualityOf = async (policy: string) => (await run(policy)).rows[0].quality
const RIVALS = ['unified', 'split:70/20/10', 'bfs+uniform', 'pagerank+split']
const POLICIES = [...firstOf(3, RIVALS), 'clairvoyant']
const WITH_THE_TRUTH = ['unified+contents', 'unified+values', 'unified+losses', 'unified+yields']

test.each([...POLICIES, ...firstOf(2, WITH_THE_TRUTH)])(
  '%s: a row, a week for each, and shares of all fetches',
  async (policy) => {
    const { rows, weeks } = await run(policy)
    expect(weeks.map(({ week }) => week)).toEqual([1, 2, 3, 4, 5, 6])
    const [{ quality, shortfall, shares }] = rows
    expect(quality).toBeGreaterThan(0)
    expect(quality).toBeLessThan(1)
    expect(shortfall).toBe(1 - quality)
    expect(shares.acquire + shares.refresh + shares.discover).toBeCloseTo(1, 12)
  },
)

test('nobody beats the clairvoyant', async () => {
  const qualities = await Promise.all(POLICIES.map(qualityOf))
  expect(Math.max(...qualities)).toBe(qualities[POLICIES.indexOf('clairvoyant')])
})

test('values of new pages are estimated, and go with the truth', async () => {
  const { rows, values } = await run('unified')
  expect(rows[0].valueCorrelation).toBeGreaterThan(0.1)
  const [{ groups, ...place }, ...more] = calibrationsOf(
    [1, 2].map((split) => ({ ...caseOf('unified', split), ...values[0] })),
  )
  expect(more).toEqual([])
  const { split: _, ...shared } = caseOf('unified')
  expect(place).toEqual(shared)
  expect(groups.length).toBeGreaterThan(1)
  expect((await run('bfs+uniform')).rows[0].valueCorrelation).toBeNull()
})

test('who knows what pages say does better, who knows what will be asked better still', async () => {
  expect(await qualityOf('unified+contents')).toBeGreaterThan(await qualityOf('unified'))
  expect(await qualityOf('unified+values')).toBeGreaterThan(await qualityOf('unified+contents'))
})

test('only one budget has a price', async () => {
  expect((await run('unified')).weeks.every(({ price }) => price! >= 0)).toBe(true)
  expect((await run('split:70/20/10')).weeks.every(({ price }) => price === null)).toBe(true)
})

test('a wrong name is told from a right one', () => {
  const right = ['unified', 'clairvoyant', 'split:1/2/3', 'split:1/1/0:pagerank,uniform,none']
  for (const name of [...right, 'split:1/2/3+values', 'unified+losses'])
    expect(() => checkBudgetPolicy(name)).not.toThrow()
  for (const name of ['unify', 'split:1/2', 'split:1/1/1:nobody,quality,yield', 'unified+luck'])
    expect(() => checkBudgetPolicy(name)).toThrow(SettingError)
})

test.runIf(isThorough)('a policy that is watched crawls as it would anyway', async () => {
  const { training: log, testWeights } = splitQueries(queries, 'log', seededRandom(1))
  const setup = {
    ...{ archive, truth: truth.judgedBy(testWeights), log, seed: 1 },
    ...{ startShare: 0.3, budgetShare: 0.05 },
  }
  const watched = budgetPlannerNamed('unified', REGISTRY, () => {})
  const { weeks } = await crawlWeekly('unified', setup)
  expect((await crawlWeekly(watched, setup)).weeks).toEqual(weeks)
})
