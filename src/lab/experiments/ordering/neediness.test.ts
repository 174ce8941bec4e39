import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { seededRandom } from '#numeric/random.ts'
import { AnswerTruth } from '../../judging/answer-truth.ts'
import { splitQueries } from '../../judging/query-split.ts'
import { generateModelWeb } from '../../model-web/generate.ts'
import { impactBySketches, learntImprovability } from './neediness.ts'
import { needyWeights } from './needy-weights.ts'
import { orderingPolicyNamed } from './ordering-policies.ts'
import { importanceOf, sampleSetting } from './ordering-settings.ts'

const records = generateModelWeb({ seed: 5, pages: 700, weeks: 2 })
const { queries, judgments } = records.workload!
const truth = new AnswerTruth(new RecordedWeb(archiveOf(records), 1), queries)
const setupOf = async (policy: string) => ({
  truth,
  judgments,
  setting: await sampleSetting(truth, importanceOf(truth), 1, seededRandom(1)),
  split: splitQueries(queries, 'half', seededRandom(2)),
  policy: orderingPolicyNamed(policy),
  seed: 1,
})

test('buckets hold every test query, and the new results that fetching gave them', async () => {
  const setup = await setupOf('clairvoyant-test')
  const { buckets, error } = await learntImprovability(setup, 0.5)
  const asked = setup.split.testWeights.filter((weight) => weight > 0)
  expect(buckets.reduce((sum, bucket) => sum + bucket.queries, 0)).toBe(asked.length)
  expect(buckets.some(({ test }) => test > 0)).toBe(true)
  for (const { test, predicted } of buckets)
    for (const results of [test, predicted]) {
      expect(results).toBeGreaterThanOrEqual(0)
      expect(results).toBeLessThanOrEqual(10)
    }
  expect(error).toBeGreaterThan(0)
})

test('nothing improves when nothing is fetched', async () => {
  const { buckets } = await learntImprovability(await setupOf('random'), 0)
  for (const { test } of buckets) expect(test).toBe(0)
})

test('there is a row for each share and budget', async () => {
  const rows = impactBySketches(await setupOf('clairvoyant-training'), [0.1, 1], [0.1, 0.5])
  expect(rows.map(({ share, fraction }) => [share, fraction])).toEqual([
    [0.1, 0.1],
    [0.1, 0.5],
    [1, 0.1],
    [1, 0.5],
  ])
  for (const { impact } of rows) expect(impact).toBeGreaterThan(0)
})

test('the needy are those asked often and answered badly', () => {
  const query = (id: string, weight: number) => ({ id, text: id, weight })
  const asked = [
    query('rare', 1),
    query('well answered', 5),
    query('needy', 5),
    query('unasked', 0),
  ]
  const weights = Float64Array.of(1, 5, 5, 0)
  const kept = needyWeights(asked, weights, 1 / 3, () => Float64Array.of(1, 9, 1))
  expect([...kept]).toEqual([0, 0, 5, 0])
})
