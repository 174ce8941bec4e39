import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { EXPERIMENTS } from '#app/experiments/experiments.ts'
import { neededRows, type Row, type Stored, withResultTables } from '../scripts/result-tables.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'results')
const documents = globSync('*.md', { cwd: folder })
const stored = globSync('data/*.json', { cwd: folder })
/** A stored result that nobody says the origin of. */
const of = (rows: readonly Row[]): Stored => ({ made: [], rows })
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')

test.each(documents)(
  'tables of %s are those of its stored results (else run: npm run docs)',
  (file) => {
    expect(textOf(file)).toBe(withResultTables(textOf(file)))
  },
)

test.each(stored)(
  '%s is small, is shown in a document, and holds numbers and names only',
  (file) => {
    const name = file.replace(/^data.|\.json$/g, '')
    expect(documents.some((one) => textOf(one).includes(`"of":"${name}"`))).toBe(true)
    expect(textOf(file).length).toBeLessThan(50_000)
    const { rows } = JSON.parse(textOf(file)) as { rows: Record<string, unknown>[] }
    for (const value of rows.flatMap((row) => Object.values(row)))
      expect(value === null || typeof value === 'number' || String(value).length < 60).toBe(true)
  },
)

test('a marked table is filled: filtered, averaged, rounded, and in words', () => {
  const rows = [
    { archive: 'a', policy: 'bfs', size: 1, maxNdcg: 0.25 },
    { archive: 'b', policy: 'bfs', size: 1, maxNdcg: 0.75 },
    { archive: 'a', policy: 'bfs', size: 2, maxNdcg: null },
    { archive: 'a', policy: 'random', size: 1, maxNdcg: 0.125 },
    { archive: 'a', policy: 'other', size: 1, maxNdcg: 0.5 },
  ]
  const spec = {
    of: 'x',
    columns: ['policy'],
    across: 'size',
    cell: 'maxNdcg',
    digits: 2,
    where: { policy: ['random', 'bfs'] },
    words: { bfs: 'breadth-first', policy: 'pages kept', 1: '1 %' },
  }
  const open = `<!-- table ${JSON.stringify(spec)} -->`
  const filled = withResultTables(`Before\n${open}\nold\n<!-- /table -->\nafter`, () => of(rows))
  expect(filled).toBe(
    [
      'Before',
      open,
      '| pages kept | 1 % | 2 |',
      '| --- | --- | --- |',
      '| random | 0.13 | – |',
      '| breadth-first | 0.50 | – |',
      '<!-- /table -->',
      'after',
    ].join('\n'),
  )
  expect(withResultTables(filled, () => of(rows))).toBe(filled)
})

test('a result keeps what its tables show: the best setting of a policy, or a mean and its interval', () => {
  const results = [
    {
      scoring: 'tfidf',
      rows: [
        { policy: 'sbr', tau: 0, percent: 1, shortfall: 0.5, quality: 0.9 },
        { policy: 'sbr', tau: 0.5, percent: 1, shortfall: 0.3, quality: 0.95 },
        { policy: 'ebr', tau: 0, percent: 1, shortfall: 0.4, quality: 0.93 },
        { policy: 'uc', tau: null, percent: 1, shortfall: 0.1, quality: 0.99 },
      ],
    },
  ]
  const spec = {
    of: 'x',
    columns: ['scoring', 'percent'],
    across: 'policy',
    cell: 'shortfall',
    where: { policy: ['sbr', 'ebr'] },
  }
  expect(neededRows([{ ...spec, fold: 'least' }], results)).toEqual([
    { scoring: 'tfidf', percent: 1, policy: 'sbr', shortfall: 0.3 },
    { scoring: 'tfidf', percent: 1, policy: 'ebr', shortfall: 0.4 },
  ])
  const [sbr] = neededRows([{ ...spec, spread: true }], results)
  expect(sbr).toMatchObject({ shortfall: 0.4, 'shortfall±': 1.271 })
  const marked = `<!-- table ${JSON.stringify({ ...spec, spread: true })} -->\n<!-- /table -->`
  const filled = withResultTables(marked, () =>
    of(neededRows([{ ...spec, spread: true }], results)),
  )
  expect(filled).toContain('| tfidf | 1 | 0.400 ± 1.271 | 0.400 |')
})

test('means with their intervals are shown as experiments give them', () => {
  const lead = { than: 'bfs', quality: { estimate: 0.25, low: 0.2, high: 0.3125 } }
  const spec = { of: 'x', table: 'leads', columns: ['than'], across: ['quality'] }
  const rows = neededRows([spec], [{ leads: [lead] }])
  const marked = `<!-- table ${JSON.stringify(spec)} -->\n<!-- /table -->`
  expect(withResultTables(marked, () => of(rows))).toContain('| bfs | 0.250 (0.200 to 0.313) |')
})

test.each(stored)('what made %s is a command with its flags, at a commit, on a day', (file) => {
  const { made } = JSON.parse(textOf(file)) as Stored
  expect(made.length).toBeGreaterThan(0)
  for (const { command, commit, date } of made) {
    expect(commit).toMatch(/^[0-9a-f]{7,40}$/)
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    const [, name, rest] = command.match(/^forager lab run (\S+) (.*)$/) ?? []
    if (name === undefined) {
      const [, bench] = command.match(/^npm run bench -- (\S+)/) ?? []
      expect(globSync('*.ts', { cwd: join(folder, '..', '..', 'bench') })).toContain(`${bench}.ts`)
      continue
    }
    const flags = new Command().exitOverride().option('--archive <dir>').option('--seed <n>')
    EXPERIMENTS[name].addFlags(flags)
    expect(() => flags.parse(rest.split(' '), { from: 'user' }), command).not.toThrow()
  }
})

test('the first table of a result is followed by what gave it; fields are joined, and found by their paths', () => {
  const made = [{ command: 'forager lab run x', commit: 'abcdef0123', date: '2026-01-02' }]
  const spec = {
    of: 'x',
    join: { web: ['archive', 'queries'] },
    columns: ['policy'],
    across: 'web',
    cell: 'cost.cpu',
  }
  const rows = neededRows(
    [spec],
    [{ rows: [{ policy: 'bfs', archive: 'a', queries: 'half', cost: { cpu: 0.5 } }] }],
  )
  const marked = `<!-- table ${JSON.stringify(spec)} -->\n<!-- /table -->`
  const filled = withResultTables(`${marked}\n${marked}`, () => ({ made, rows }))
  expect(filled).toContain(
    '| policy | a, half |\n| --- | --- |\n| bfs | 0.500 |\n\n```\n# abcdef01, 2026-01-02',
  )
  expect(filled.split('npx forager lab run x').length).toBe(2)
})

test('fields can stand beside each other too', () => {
  const spec = { of: 'x', columns: ['policy'], across: ['fetches', 'quality'] }
  const filled = withResultTables(`<!-- table ${JSON.stringify(spec)} -->\n<!-- /table -->`, () =>
    of([{ policy: 'bfs', fetches: 1200, quality: 0.5 }]),
  )
  expect(filled).toContain('| policy | fetches | quality |')
  expect(filled).toContain('| bfs | 1,200 | 0.500 |')
})
