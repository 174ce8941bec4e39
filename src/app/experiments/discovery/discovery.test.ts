import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { UsageError } from '../../text/usage-error.ts'
import { discoveryExperiment } from './discovery.ts'

const folder = sharedFolder()
const inFolder = (name: string) => join(folder, name)
const flags = { seed: 1, budgets: '1,10,100', periods: '1,2,4' }

beforeAll(async () => {
  await writeArchive(inFolder('growing'), generateModelWeb({ seed: 4, pages: 500, weeks: 8 }))
  await writeArchive(inFolder('frozen'), generateModelWeb({ seed: 4, pages: 500, weeks: 1 }))
})

/** All steps run, with what they would dump. */
async function wholeRun() {
  const run = await discoveryExperiment.prepare({ ...flags, archive: [inFolder('growing')] })
  const outcomes = await Promise.all(run.steps.map((step) => step.run()))
  const dump = outcomes.flatMap(({ dumps }) => dumps ?? [])
  const found: unknown[] = JSON.parse(JSON.stringify(outcomes.map(({ found }) => found)))
  return { findings: run.present(found), dump }
}

interface Result {
  readonly rows: { algorithm: string; period: number; budget: number; coverage: number }[]
  readonly bounds: { period: number; coverage: number }[]
  readonly greedy: { share: number; overhead: number }[]
  readonly sites: {
    archive: string
    steps: { t: number; newPages: number; covered100: number }[]
  }[]
}

test('the result has a row for each algorithm, period and budget, and a step for each snapshot', async () => {
  const { findings } = await wholeRun()
  const result = findings.result as unknown as Result
  expect(findings.result).toMatchObject({
    experiment: 'discovery',
    keys: ['algorithm', 'period', 'budget'],
  })
  const keys = result.rows.map((row) => `${row.algorithm} ${row.period} ${row.budget}`)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toContain('cliq-win-e0.2 4 100')
  expect(keys).toContain('yield 0 10')
  expect(result.bounds.map(({ period }) => period)).toEqual([1, 2, 4])
  expect(result.greedy.at(-1)).toMatchObject({ share: 1, overhead: expect.any(Number) })
  expect(result.sites[0].steps.map(({ t }) => t)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(findings.charts.filter((chart) => chart.startsWith('<svg')).length).toBeGreaterThan(10)
})

test('what new pages any old page leads to can be counted again from the dump', async () => {
  const { findings, dump } = await wholeRun()
  const covers = dump.find(({ name }) => name.endsWith('-covers.tsv'))!
  const reached = new Map<number, Set<string>>()
  for (const line of [...covers.lines()].slice(1)) {
    const [, time, , urls] = line.split('\t')
    const own = reached.get(Number(time)) ?? new Set()
    for (const url of urls.split(' ')) own.add(url)
    reached.set(Number(time), own)
  }
  const { sites } = findings.result as unknown as Result
  for (const { t, covered100 } of sites[0].steps) expect(reached.get(t)?.size ?? 0).toBe(covered100)
})

test('an archive in which nothing is ever new is refused, by name', async () => {
  const refused = discoveryExperiment.prepare({ ...flags, archive: [inFolder('frozen')] })
  await expect(refused).rejects.toThrow(UsageError)
  await expect(refused).rejects.toThrow(/frozen.*one snapshot/)
})

test('an archive left out is judged with what the others chose; one alone is refused', async () => {
  const leaveOneOut = { ...flags, budgets: '5,20', leaveOneOut: true, starts: 2 }
  await writeArchive(inFolder('other'), generateModelWeb({ seed: 5, pages: 500, weeks: 8 }))
  const archive = [inFolder('growing'), inFolder('other')]
  const run = await discoveryExperiment.prepare({ ...leaveOneOut, archive })
  const found: unknown[] = []
  for (const step of run.steps) found.push(JSON.parse(JSON.stringify((await step.run()).found)))
  const { result } = run.present(found)
  const { waiting, weights, bySite } = result as unknown as {
    waiting: { policy: string; against: string; budget: number; ratio: { estimate: number } }[]
    weights: Record<string, number>[]
    bySite: { policy: string; start: number; born: number }[]
  }
  const ratio = waiting.find(
    (row) => row.policy === 'share' && row.against === 'yield+indegree' && row.budget === 0,
  )
  expect(ratio?.ratio.estimate).toBeGreaterThan(0)
  expect(weights.length).toBe(2)
  expect(weights[0].below).not.toBe(weights[1].below)
  const shares = bySite.filter(({ policy }) => policy === 'share')
  expect(shares.map(({ start }) => start)).toEqual([0, 0, 2, 2, 0, 0, 2, 2])
  expect(shares[2].born).toBeLessThan(shares[0].born) // what was there by then is not new
  const alone = discoveryExperiment.prepare({ ...leaveOneOut, archive: [inFolder('growing')] })
  await expect(alone).rejects.toThrow(/two archives at least/)
})
