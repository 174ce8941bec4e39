import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const { archive, inFolder } = modelWebFolder(8)
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

const run = (experiment: string, ...flags: string[]) =>
  forager('lab', 'run', experiment, '--archive', archive, ...flags)

test('refresh shows three protocols side by side, and the same again', async () => {
  const flags = [
    '--budgets',
    '2,10',
    '--policies',
    'uniform,sbr,ebr,uc,quality',
    '--lastmod',
    'none,mixed',
  ]
  const [out, again, report] = ['r.json', 'again.json', 'r.html'].map(inFolder)
  expect((await run('refresh', ...flags, '--out', out, '--report', report)).code).toBe(0)
  const { rows, equalQuality, trust, sites } = json(out)
  expect(sites).toMatchObject([{ archive: 'model-web-3', workload: 'judged', weeks: 8 }])
  for (const estimates of ['whole', 'split', 'online'])
    for (const scoring of ['tfidf', 'inlinks'])
      for (const percent of [2, 10]) {
        const own = rows.filter(
          (row: Record<string, unknown>) =>
            row.estimates === estimates && row.scoring === scoring && row.percent === percent,
        )
        const policies = [...new Set(own.map(({ policy }: { policy: string }) => policy))].sort()
        expect(policies).toEqual(
          estimates === 'online' ? ['quality', 'uc', 'uniform'] : ['ebr', 'sbr', 'uc', 'uniform'],
        )
        for (const { quality, qualityBefore, shortfall, fetches } of own) {
          expect(quality).toBeGreaterThanOrEqual(qualityBefore)
          expect(shortfall).toBeGreaterThanOrEqual(0)
          expect(fetches).toBeGreaterThanOrEqual(0)
        }
      }
  expect(equalQuality.length).toBe(2 * 2 * 2)
  expect(trust.length).toBeGreaterThan(0)
  const page = readFileSync(report, 'utf8')
  expect(page).toContain('shortfall ratios')
  expect(page.match(/<svg/g)?.length).toBe(2 * 3 + 1)
  expect((await run('refresh', ...flags, '--out', again)).code).toBe(0)
  const { made, ...results } = json(out)
  expect(json(again)).toEqual({ ...results, made: { ...made, command: expect.anything() } })
})

test('forecast sets the second half against the first', async () => {
  const [out, report] = ['f.json', 'f.html'].map(inFolder)
  expect((await run('forecast', '--out', out, '--report', report)).code).toBe(0)
  const { rows } = json(out)
  expect(rows.length).toBe(4)
  for (const row of rows)
    expect(row.both + row.firstOnly + row.secondOnly + row.neither).toBe(row.pages)
  expect(readFileSync(report, 'utf8')).toContain('<svg')
})

test('wrong words are named with what to say instead', async () => {
  const wrong: [string[], string][] = [
    [['--budgets', '0'], '--budgets takes per cent of the pages'],
    [['--protocols', 'hindsight'], '--protocols must be of whole, split, online, not "hindsight"'],
    [['--policies', 'best'], '--policies must be of'],
    [['--workload', 'popular'], 'no archive has the workload "popular"'],
  ]
  for (const [flags, words] of wrong) {
    const { code, stderr } = await run('refresh', ...flags)
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  }
})
