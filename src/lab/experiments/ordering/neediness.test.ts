import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { seededRandom } from '#numeric/random.ts'
import { priorImprovability } from '#workload/improvability.ts'
import { AnswerTruth } from '../../judging/answer-truth.ts'
import { splitQueries } from '../../judging/query-split.ts'
import { generateModelWeb } from '../../model-web/generate.ts'
import { impactBySketches, learntImprovability, needinessSplits } from './neediness.ts'
import { averageScores, needyWeights } from './needy-weights.ts'
import { FRACTIONS, sampleOrder } from './ordering.ts'
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
  const { improvability, progress } = await learntImprovability(setup, 0.5)
  const { buckets, error } = improvability
  const asked = setup.split.testWeights.filter((weight) => weight > 0)
  expect(buckets.reduce((sum, bucket) => sum + bucket.queries, 0)).toBe(asked.length)
  expect(buckets.some(({ test }) => test > 0)).toBe(true)
  for (const { test, predicted } of buckets)
    for (const results of [test, predicted]) {
      expect(results).toBeGreaterThanOrEqual(0)
      expect(results).toBeLessThanOrEqual(10)
    }
  expect(error).toBeGreaterThan(0)
  expect(progress.length).toBe(setup.split.training.length)
})

test('a share of the pages is fetched, all queries that are asked count, and ten results of each', async () => {
  const setup = await setupOf('clairvoyant-test')
  const once = (weights: Float64Array) => weights.map((weight) => Math.min(1, weight))
  const split = {
    training: setup.split.training,
    trainingWeights: once(setup.split.trainingWeights),
    testWeights: once(setup.split.testWeights),
  }
  const { index } = setup.setting.crawl
  const held = index.size
  const averages = averageScores(queries, index, truth.scoring, 10)
  const share = 2.6 / setup.setting.uncrawled.length
  const { improvability, progress } = await learntImprovability({ ...setup, split }, share)
  expect(index.size - held).toBe(3)
  expect(progress.map(({ averageScore }) => averageScore)).toEqual(
    [...averages].filter((_, query) => split.trainingWeights[query] > 0),
  )
  const tested = split.testWeights.filter((weight) => weight > 0).length
  expect(improvability.buckets.reduce((sum, bucket) => sum + bucket.queries, 0)).toBe(tested)
})

test('nothing improves when nothing is fetched', async () => {
  const { improvability } = await learntImprovability(await setupOf('random'), 0)
  for (const { test } of improvability.buckets) expect(test).toBe(0)
})

test('there is a row for each share and budget', async () => {
  const rows = impactBySketches(await setupOf('clairvoyant-training'), [0.1, 1])
  expect(rows.map(({ share, fraction }) => [share, fraction])).toEqual(
    [0.1, 1].flatMap((share) => FRACTIONS.slice(1).map((fraction) => [share, fraction])),
  )
  for (const { fraction, impact } of rows) if (fraction >= 0.1) expect(impact).toBeGreaterThan(0)
})

test('as in the paper, sketches are of the half that judges, and the other half teaches', () => {
  const askedOnce = queries.map((query) => ({ ...query, weight: 1 }))
  const { learning, sketching } = needinessSplits(askedOnce, 'same', seededRandom(3))
  expect(sketching.trainingWeights).toEqual(learning.testWeights)
  expect(sketching.testWeights).toEqual(learning.testWeights)
  expect(sketching.training.length).toBe(learning.testWeights.filter((weight) => weight > 0).length)
  const taught = new Set(learning.training.map(({ id }) => id))
  expect(sketching.training.some(({ id }) => taught.has(id))).toBe(false)
  const ours = needinessSplits(queries, 'half', seededRandom(3))
  expect(ours.sketching).toBe(ours.learning)
})

test('a policy of the paper goes by the queries that were learnt to be needy', async () => {
  const setup = await setupOf('hybrid')
  const { trainingWeights } = setup.split
  const averages = averageScores(queries, setup.setting.crawl.index, truth.scoring, 10)
  const asked = [...averages]
    .filter((_, query) => trainingWeights[query] > 0)
    .toSorted((a, b) => a - b)
  const middle = asked[asked.length >> 1]
  // Here those with answers below the middle gain, or nobody does.
  const progressBy = (newResults: number) =>
    Array.from({ length: 100 }, (_, i) =>
      i % 2 === 0
        ? { averageScore: middle / 2, newResults }
        : { averageScore: middle * 2, newResults: 1 },
    )
  const [lowFirst, allAlike] = [9, 1].map((newResults) => [
    ...sampleOrder({ ...setup, needyShare: 0.3, progress: progressBy(newResults) }),
  ])
  expect(lowFirst).not.toEqual(allAlike)
})

const query = (id: string, weight: number) => ({ id, text: id, weight })
const asked = [query('rare', 1), query('well answered', 5), query('needy', 5), query('unasked', 0)]

test('the needy are those asked often and answered badly', () => {
  const weights = Float64Array.of(1, 5, 5, 0)
  const scoresOf = () => Float64Array.of(1, 9, 1)
  const kept = needyWeights(asked, weights, 1 / 3, scoresOf, priorImprovability)
  expect([...kept]).toEqual([0, 0, 5, 0])
})

test('unless it was learnt that fetching improves the others', () => {
  const rising = { of: (score: number) => score, form: 'prior', observations: 0 } as const
  const weights = Float64Array.of(1, 5, 5, 0)
  const kept = needyWeights(
    asked,
    weights,
    1 / 3,
    () => Float64Array.of(1, 9, 1),
    () => rising,
  )
  expect([...kept]).toEqual([0, 5, 0, 0])
})
