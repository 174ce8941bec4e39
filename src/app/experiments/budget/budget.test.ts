import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { mistakeText } from '../../cli/settings/complaint.ts'
import { budgetExperiment } from './budget.ts'

const folder = sharedFolder()
const inFolder = (name: string) => join(folder, name)

beforeAll(async () => {
  const { workload, ...unasked } = generateModelWeb({ seed: 4, pages: 500, weeks: 4 })
  await writeArchive(inFolder('asked'), { ...unasked, workload })
  await writeArchive(inFolder('unasked'), unasked)
  await writeArchive(inFolder('frozen'), generateModelWeb({ seed: 4, pages: 500, weeks: 1 }))
})

const flags = {
  seed: 1,
  start: '20',
  budgets: '2,10',
  queries: 'repeated',
  splits: 1,
  policies: 'unified,split:70/20/10',
  mostQueries: 60,
  fixedOn: '',
  sitemaps: 'honest' as const,
  leaveOneOut: false,
}
const prepare = (some: object) =>
  budgetExperiment.prepare({ ...flags, archive: [inFolder('asked')], ...some })

test.runIf(isThorough)('a row for each policy, budget and sample; figures and ratios', async () => {
  const run = await prepare({ archive: [inFolder('asked'), inFolder('unasked')] })
  expect(run.steps.map(({ name }) => name)).toHaveLength(2 * (1 + 2 * 2))
  const found: unknown[] = []
  for (const step of run.steps) found.push((await step.run()).found)
  const { result, charts, tables, intro } = run.present(JSON.parse(JSON.stringify(found)))
  expect(result.rows).toHaveLength(2 * 2 * 2)
  for (const row of result.rows as Record<string, number>[]) {
    expect(row.quality + row.shortfall).toBeCloseTo(1, 12)
    expect(row.shortfall).toBeGreaterThan(0)
  }
  expect(intro).toContain('from titles and anchors: model-web-4-2')
  const comparisons = (result.summary as { comparison: string; archives: unknown[] }[]).map(
    ({ comparison, archives }) => [comparison, archives.length],
  )
  expect(comparisons).toContainEqual(['best classical split', 2])
  expect(charts.filter((chart) => chart.includes('price of a fetch'))).toHaveLength(2)
  expect(charts.filter((chart) => chart.includes('what unified fetches for'))).toHaveLength(2 * 2)
  expect(tables[1].caption).toContain('shortfall of unified')
})

test.each([
  { start: '0' },
  { budgets: 'many' },
  { queries: 'repeated,tomorrow' },
  { policies: 'unified,split:1/2' },
  { policies: ',' },
  { fixedOn: 'elsewhere' },
  { leaveOneOut: true }, // of one archive nothing is left
])('what cannot be meant is told: %j', async (some) => {
  const told = await prepare(some).then(() => undefined, mistakeText)
  expect(told).toMatch(/./)
})

test('an archive without a history cannot tell', async () => {
  await expect(prepare({ archive: [inFolder('frozen')] })).rejects.toThrow(/4 or more/)
})
