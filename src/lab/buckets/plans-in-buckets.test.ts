import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { generateModelWeb } from '../model-web/generate.ts'
import { plansInBuckets } from './plans-in-buckets.test-kit.ts'

test('on the model web, plans with 1, 8 and 64 buckets are those of one process, to the last bit', async () => {
  const records = generateModelWeb({ seed: 5, pages: 500, weeks: 4 })
  const plans = await plansInBuckets(archiveOf(records), {
    queries: records.workload!.queries,
    ...{ weeks: 3, budget: 60, buckets: [1, 8, 64], seed: 1 },
  })
  expect(plans.filter(({ isSame }) => !isSame)).toEqual([])
  expect(plans).toHaveLength(9)
  expect(Math.min(...plans.map(({ fetches }) => fetches))).toBeGreaterThan(30)
  expect(plans.some(({ sampled }) => sampled > 0)).toBe(true)
})
