import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { planOfEpoch } from '#library/buckets/look.ts'
import { firstOf } from '#numeric/cases.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { generateModelWeb } from '../model-web/generate.ts'
import { crawlInBuckets } from './weeks-in-buckets.ts'

const records = generateModelWeb({ seed: 7, pages: 500, weeks: 6 })
const archive = archiveOf(records)
const folder = sharedFolder()

test.each(firstOf(1, [2, 16]))(
  'while a web goes on, plans with %i buckets are those with one, epoch by epoch, to the last bit',
  async (buckets) => {
    const epochs = 7
    const plansIn = async (buckets: number) => {
      const dir = `${folder}/${buckets}`
      const weekOf = (epoch: number) => Math.max(0, epoch - 3)
      const crawl = { archive, log: records.workload!.queries, policy: 'unified', seed: 1 }
      await crawlInBuckets({ ...crawl, batch: 140, epochs, weekOf }, { buckets, dir })
      return Promise.all(
        Array.from({ length: epochs }, async (_, i) => {
          const { fetches, price } = await planOfEpoch(dir, i + 1)
          return {
            price,
            fetches: fetches.map(({ url, purpose, bid, parts }) => ({ url, purpose, bid, parts })),
          }
        }),
      )
    }
    const whole = await plansIn(1)
    const purposes = whole.flatMap(({ fetches }) => fetches.map(({ purpose }) => purpose))
    expect(purposes.filter((purpose) => purpose === 'refresh').length).toBeGreaterThan(20)
    expect(purposes.filter((purpose) => purpose === 'acquire').length).toBeGreaterThan(80)
    const divided = await plansIn(buckets)
    for (const [i, plan] of whole.entries()) expect(divided[i], `epoch ${i + 1}`).toEqual(plan)
  },
  300_000,
)
