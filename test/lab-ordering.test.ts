import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const { archive, inFolder } = modelWebFolder(2)
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

test('ordering draws a curve for each policy and setting', async () => {
  const policies = ['random', 'pagerank', 'clairvoyant-test']
  const flags = [
    '--policies',
    policies.join(),
    '--splits',
    '1',
    '--batch',
    '0.05',
    '--until',
    '0.1',
  ]
  const run = (out: string, ...more: string[]) =>
    forager('lab', 'run', 'ordering', '--archive', archive, ...flags, '--out', out, ...more)
  const [out, report] = ['o.json', 'o.html'].map(inFolder)
  expect((await run(out, '--report', report)).code).toBe(0)
  const result = json(out)
  const places = [
    { setting: 'sample', dataset: 1 },
    { setting: 'sample', dataset: 2 },
    { setting: 'frontier', dataset: null },
  ]
  expect(result.curves.length).toBe(places.length * policies.length)
  for (const place of places) {
    const at10 = policies.map((policy) => {
      const where = { ...place, split: 1, policy, fraction: 0.1 }
      const rows = result.rows.filter((row: Record<string, unknown>) =>
        Object.entries(where).every(([key, value]) => row[key] === value),
      )
      expect(rows).toMatchObject([{ queries: 'half', archive: 'model-web-3' }])
      expect(rows[0].quality).toBeGreaterThan(0)
      return rows[0].impact
    })
    expect(at10[2]).toBeGreaterThan(Math.max(at10[0], at10[1]))
  }
  expect(result.importance.length).toBe(2)
  expect(readFileSync(report, 'utf8').match(/<svg/g)?.length).toBe(6)
})

test('neediness tells what few sketches keep', async () => {
  const out = inFolder('n.json')
  const flags = ['--queries', 'log', '--dataset', '1', '--splits', '1', '--shares', '0.05']
  const policy = ['--policies', 'clairvoyant-training']
  const run = await forager(
    ...['lab', 'run', 'neediness', '--archive', archive, ...flags, ...policy, '--out', out],
  )
  expect(run.code).toBe(0)
  const { rows, improvability } = json(out)
  expect([...new Set(rows.map((row: { share: number }) => row.share))]).toEqual([0.05, 1])
  for (const { share, kept } of rows) if (share === 1) expect(kept).toBe(1)
  expect(improvability[0].improvability.buckets.length).toBe(10)
})

test('flags that mean nothing are refused, with what to write instead', async () => {
  const wrong: [string, string, RegExp][] = [
    ['--policies', 'pagerunk', /Did you mean pagerank/],
    ['--queries', 'third', /--queries must be of half, log, same, not "third"/],
    ['--setting', 'wild', /--setting must be of sample, frontier, all/],
    ['--batch', '2', /share above 0/],
  ]
  const runs = wrong.map(async ([flag, value, words]) => {
    const run = await forager('lab', 'run', 'ordering', '--archive', archive, flag, value)
    expect(run.code).toBe(2)
    expect(run.stderr).toMatch(words)
  })
  await Promise.all(runs)
})
