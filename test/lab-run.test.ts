import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SELECTIONS } from '#lab/selection/selection.ts'
import { forager, startForager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const EXAMPLE = join(import.meta.dirname, '..', 'examples', 'young-hosts-first.ts')

const { folder, archive, inFolder } = modelWebFolder(2)
const select = (...args: string[]) =>
  forager('lab', 'run', 'selection', '--archive', archive, ...args)
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

interface Row {
  readonly archive: string
  readonly policy: string
  readonly size: number
  readonly selected: number
  readonly maxNdcg: number
  readonly ciLow: number
  readonly ciHigh: number
  readonly linearMaxNdcg: number
}

/** DCG@10 of the best order of some gains. */
function bestDcg(gains: readonly number[]): number {
  const best = gains.toSorted((a, b) => b - a).slice(0, 10)
  return best.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
}

/** maxNDCG from nothing but the archive's judgments and a list of URLs. */
function maxNdcgOf(urls: ReadonlySet<string>, gains: readonly number[]): number {
  const [, ...lines] = gunzipSync(readFileSync(join(archive, 'qrels.tsv.gz')))
    .toString()
    .trimEnd()
    .split('\n')
  const byQuery = Map.groupBy(
    lines.map((line) => line.split('\t')),
    ([query]) => query,
  )
  const shares: number[] = []
  for (const judged of byQuery.values()) {
    const gainOf = ([, , grade]: string[]) => gains[Number(grade)]
    const ideal = bestDcg(judged.map(gainOf))
    if (ideal === 0) continue
    shares.push(bestDcg(judged.filter(([, url]) => urls.has(url)).map(gainOf)) / ideal)
  }
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

test('by default all usual selections are compared, and their numbers follow from the lists dumped', async () => {
  const [out, dump, report] = ['all.json', 'dump', 'all.html'].map(inFolder)
  const run = await select('--out', out, '--dump', dump, '--report', report, '--seed', '5')
  expect(run.stderr).toMatch(/wrote/)
  expect(run.code).toBe(0)
  const { rows, ceilings, seed } = json(out) as { rows: Row[]; ceilings: object[]; seed: number }
  expect(seed).toBe(5)
  expect(ceilings).toMatchObject([{ archive: 'model-web-3', maxNdcg: expect.any(Number) }])
  expect([...new Set(rows.map(({ policy }) => policy))]).toEqual(DEFAULT_SELECTIONS)
  expect(readdirSync(dump).length).toBe(rows.length)
  for (const row of rows) {
    const lines = readFileSync(join(dump, `${row.policy}-${row.size}.txt`), 'utf8').split('\n')
    const urls = new Set(lines.filter((line) => line !== ''))
    expect(urls.size).toBe(row.selected)
    expect(Math.abs(maxNdcgOf(urls, [0, 3, 7, 15, 31]) - row.maxNdcg)).toBeLessThan(1e-9)
    expect(Math.abs(maxNdcgOf(urls, [0, 1, 2, 3, 4]) - row.linearMaxNdcg)).toBeLessThan(1e-9)
    expect(row.ciLow).toBeLessThanOrEqual(row.maxNdcg)
    expect(row.ciHigh).toBeGreaterThanOrEqual(row.maxNdcg)
  }
  const html = readFileSync(report, 'utf8')
  // Nothing is loaded from anywhere, and it tells how it was made.
  expect(html).not.toMatch(/\s(?:src|href|srcset)\s*=|@import|url\(|<link|<script|<iframe/i)
  expect(html).toContain(`forager lab run selection --archive ${archive} --out ${out}`)
  expect(html).toMatch(/Seed 5; Forager [\d.]+.*; archive: model-web-3\./)
  expect(html).toMatch(/\(commit [0-9a-f]{12}\)/)
  expect(html.match(/<svg/g)?.length).toBe(4)
})

test('iterate follows each policy through generations of its own corpus', async () => {
  const [out, report, figures] = ['iterate.json', 'iterate.html', 'iterate-figures'].map(inFolder)
  const flags = ['--policies', 'pagerank,td-indegree', '--sizes', '60', '--iterations', '3']
  const files = ['--out', out, '--report', report, '--figures', figures]
  const run = await forager('lab', 'run', 'iterate', '--archive', archive, ...flags, ...files)
  expect(run.code).toBe(0)
  const { rows, keys } = json(out)
  expect(keys).toEqual(['archive', 'policy', 'corpus', 'iteration'])
  expect(rows.length).toBe(2 * 4)
  expect(rows[3]).toMatchObject({
    policy: 'pagerank',
    iteration: 3,
    size: 60,
    maxNdcg: expect.any(Number),
    actualMaxNdcg: expect.any(Number),
    jaccardPrevious: expect.any(Number),
    codes: expect.objectContaining({ '111': expect.any(Number) }),
    helpful: expect.any(Number),
  })
  expect(rows[0]).toMatchObject({ iteration: 0, jaccardPrevious: null, codes: null })
  const pictures = readdirSync(figures)
  expect(pictures).toEqual([1, 2, 3, 4, 5, 6].map((number) => `figure-${number}.svg`))
  for (const name of pictures)
    expect(readFileSync(join(figures, name), 'utf8')).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [\s\S]*<\/svg>\n$/,
    )
})

describe('a policy of the user', () => {
  test('runs beside the built-in ones, alone, in unions and under limits', async () => {
    const policies = 'bfs,young-hosts-first+td2,young-hosts-first@static-5'
    const { code, stdout } = await select(
      '--policies',
      policies,
      '--policy-file',
      EXAMPLE,
      '--sizes',
      '50',
      '--json',
    )
    expect(code).toBe(0)
    const { rows } = JSON.parse(stdout) as { rows: Row[] }
    expect(rows.map(({ policy }) => policy)).toEqual([...policies.split(','), 'young-hosts-first'])
    expect(rows.map(({ selected }) => selected)).toEqual([50, 50, expect.any(Number), 50])
  })

  test('may lie in a folder whose package.json says commonjs, as npm init writes it', async () => {
    const folder = inFolder('commonjs')
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}')
    for (const ending of ['ts', 'js']) {
      const file = join(folder, `own-${ending}.${ending}`)
      writeFileSync(
        file,
        'export default ({ candidates: urls }) => ({ purpose: "acquire", urls, gains: new Float64Array(urls.length), why: () => "" })',
      )
      const { code, stderr } = await select(
        ...['--policies', 'bfs', '--policy-file', file, '--sizes', '5', '--json'],
      )
      expect(code, stderr).toBe(0)
    }
  })

  test.concurrent.each([
    ['a file that is not there', 'missing', undefined, /there is no such file/],
    ['a syntax error', 'torn', 'export default function (', /cannot be loaded/],
    ['no default export', 'shy', 'export const policy = 1', /must export its policy/],
    ['no bids', 'mute', 'export default () => undefined', /must give its bids/],
    [
      'bids in plain arrays',
      'plain',
      'export default () => ({ purpose: "acquire", urls: [1], gains: [1] })',
      /Uint32Array/,
    ],
    [
      'a gain that is no number',
      'lost',
      'export default ({ candidates: urls }) => ({ purpose: "acquire", urls, gains: new Float64Array(urls.length).fill(NaN) })',
      /bids NaN/,
    ],
    [
      'a policy that throws',
      'weak',
      'export default (f) => f.links.no.thing',
      /failed in line 1: TypeE/,
    ],
    ['a name of two words', 'two words', 'export default () => 1', /letters, digits/],
  ])('with %s is told so, by the name of its file', async (_, name, source, message) => {
    const file = inFolder(`${name}.ts`)
    if (source !== undefined) writeFileSync(file, source)
    const flags = ['--policies', 'bfs', '--sizes', '10']
    const { code, stdout, stderr } = await select(...flags, '--policy-file', file)
    expect(stderr).toMatch(message)
    expect(stderr).toContain(file)
    const lines = stderr.trimEnd().split('\n')
    expect(lines.filter((line) => !line.includes('is out of date')).length).toBe(1)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })
})

describe('a run that was killed', () => {
  /** A policy that kills the process it runs in, until it finds a file that grants it life. */
  function mortalPolicy(name: string): { file: string; spare: () => void } {
    const pardon = inFolder(`${name}-pardon`)
    const file = inFolder(`${name}.ts`)
    writeFileSync(
      file,
      `import { existsSync } from 'node:fs'
      export default ({ candidates: urls }) => {
        if (!existsSync(${JSON.stringify(pardon)})) process.kill(process.pid, 'SIGKILL')
        return { purpose: 'acquire', urls, gains: new Float64Array(urls.length) }
      }`,
    )
    return { file, spare: () => writeFileSync(pardon, '') }
  }
  const selectAlone = (...args: string[]) =>
    startForager(['lab', 'run', 'selection', '--archive', archive, ...args]).ended
  const flagsOf = (name: string, file: string) => [
    ...['--policies', `bfs,pagerank,${name},random`, '--sizes', '20,60', '--policy-file', file],
  ]

  test('goes on where it was, and ends with the same result', async () => {
    const { file, spare } = mortalPolicy('mortal')
    const flags = flagsOf('mortal', file)
    const out = inFolder('killed.json')
    const killed = await selectAlone(...flags, '--out', out)
    expect(killed.signal).toBe('SIGKILL')
    const steps = readFileSync(`${out}.steps`, 'utf8')
    expect(steps.trimEnd().split('\n').length).toBe(1 + 3)
    spare()
    const again = await selectAlone(...flags, '--out', out)
    expect(again.code).toBe(0)
    expect(again.stderr).toMatch(/taking up 3 finished steps/)
    expect(readdirSync(folder)).not.toContain('killed.json.steps')
    const whole = await select(...flags, '--out', inFolder('whole.json'))
    expect(whole.stderr).not.toMatch(/taking up/)
    const { made, ...found } = json(out)
    const { made: other, ...same } = json(inFolder('whole.json'))
    expect(found).toEqual(same)
    expect(made).toMatchObject({ command: expect.stringContaining(`--out ${out}`) })
    expect(other).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
  })

  test('starts anew when asked to, or when it would be another run', async () => {
    const { file, spare } = mortalPolicy('frail')
    const flags = flagsOf('frail', file)
    const out = inFolder('anew.json')
    // Each is killed in its turn, and leaves its steps to the next.
    for (const change of [[], ['--fresh'], ['--seed', '2'], ['--sizes', '30']]) {
      const other = await selectAlone(...flags, ...change, '--out', out)
      expect(other.signal).toBe('SIGKILL')
      expect(other.stderr).not.toMatch(/taking up/)
    }
    spare()
    writeFileSync(file, `${readFileSync(file, 'utf8')}// Another policy now.\n`)
    const changed = await selectAlone(...flags, '--sizes', '30', '--out', out)
    expect(changed.stderr).not.toMatch(/taking up/)
  })
})

test('several archives are compared in one run; namesakes are told apart, in rows, figures and dumps', async () => {
  const twin = inFolder('twin')
  cpSync(archive, twin, { recursive: true })
  const [out, dump, figures] = ['two.json', 'two-dump', 'two-figures'].map(inFolder)
  const flags = ['--policies', 'bfs,pagerank', '--sizes', '20,60']
  const files = ['--out', out, '--dump', dump, '--figures', figures]
  expect((await select('--archive', twin, ...flags, ...files)).code).toBe(0)
  const { rows, archive: names } = json(out) as { rows: Row[]; archive: string[] }
  expect(names).toEqual(['model-web-3', 'model-web-3-2'])
  expect(new Set(rows.map(({ archive }) => archive))).toEqual(new Set(names))
  expect(readdirSync(dump).length).toBe(rows.length)
  const own = ({ archive, ...row }: Row) => row
  const of = (name: string) => rows.filter(({ archive }) => archive === name).map(own)
  expect(of(names[1])).toEqual(of(names[0]))
  const titles = readdirSync(figures).map((file) => readFileSync(join(figures, file), 'utf8'))
  for (const name of names)
    expect(titles.filter((svg) => svg.includes(`${name}: `)).length).toBe(titles.length / 2)
})

describe('lab compare', () => {
  const compare = (...args: string[]) => forager('lab', 'compare', ...args)
  const written = (name: string, content: unknown): string => {
    writeFileSync(inFolder(name), typeof content === 'string' ? content : JSON.stringify(content))
    return inFolder(name)
  }

  test('tells that nothing changed, what changed, and what only one side has', async () => {
    const one = inFolder('one.json')
    const other = inFolder('other.json')
    const sizes = ['--sizes', '20']
    await Promise.all([
      select('--policies', 'bfs,random', ...sizes, '--out', one),
      select('--policies', 'random,pagerank', ...sizes, '--seed', '2', '--out', other),
    ])
    const same = await compare(one, one)
    expect(same).toMatchObject({ code: 0, stdout: 'no number changed\n2 rows are the same\n' })
    const { code, stdout } = await compare(one, other)
    expect(code).toBe(0)
    expect(stdout).toMatch(/random +20 +maxNdcg +[\d.]+ +[\d.]+ +[+-]?[\d.e-]+ \(/)
    expect(stdout).toMatch(
      /only in .*one\.json:[\s\S]*bfs[\s\S]*only in .*other\.json:[\s\S]*pager/,
    )
    const asJson = JSON.parse((await compare(one, other, '--json')).stdout)
    expect(asJson).toMatchObject({
      onlyBefore: [['model-web-3', 'bfs', 20]],
      onlyAfter: [['model-web-3', 'pagerank', 20]],
    })
    expect(asJson.changes.length).toBeGreaterThan(0)
  })

  test('refuses what cannot be compared, by the name of the file', async () => {
    const result = { experiment: 'selection', keys: ['policy'], rows: [] }
    const good = written('good.json', result)
    const cases = [
      [inFolder('nowhere.json'), /nowhere\.json cannot be read/],
      [written('words.json', 'hello'), /words\.json cannot be read as JSON/],
      [written('odd.json', { rows: [] }), /odd\.json is no result of forager lab run/],
      [written('null.json', 'null'), /null\.json is no result/],
      [
        written('iterated.json', { ...result, experiment: 'iterate' }),
        /good\.json is a result of selection, .*iterated\.json of iterate/,
      ],
    ] as const
    const refusals = await Promise.all(cases.map(([file]) => compare(good, file)))
    for (const [i, { code, stdout, stderr }] of refusals.entries()) {
      const [, message] = cases[i]
      expect(stderr).toMatch(message)
      expect(stderr.trimEnd().split('\n').length).toBe(1)
      expect(stdout).toBe('')
      expect(code).toBe(2)
    }
  })
})
