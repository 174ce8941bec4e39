import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { writeArchive } from '#repository/archive/write-archive.ts'
import { startEndlessSite } from './endless-site.ts'
import { forager, startForager } from './forager-process.ts'

let folder: string
let archive: string
const inFolder = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forager-cli-'))
  archive = inFolder('modelweb')
  await writeArchive(archive, generateModelWeb({ seed: 3, pages: 600, weeks: 3 }))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A copy of the archive with one file replaced. */
function damagedArchive(name: string, file: string, change: (bytes: Buffer) => Buffer): string {
  const dir = inFolder(name)
  mkdirSync(dir)
  for (const entry of readdirSync(archive)) {
    const bytes = readFileSync(join(archive, entry))
    writeFileSync(join(dir, entry), entry === file ? change(bytes) : bytes)
  }
  return dir
}

/** A port where nobody listens: taken, and given back. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('a mistake gets one clear line and exit code 2', () => {
  test.each([
    ['an unknown command', ['crwal'], /unknown command 'crwal'/],
    ['an unknown flag', ['crawl', '--bugdet', '5'], /unknown option '--bugdet'/],
    [
      'a budget that is no number',
      ['crawl', 'a.org', '--budget', '-3'],
      /--budget <n>.*'-3'.*at least 1/,
    ],
    ['a policy nobody knows', ['crawl', 'a.org', '--policy', 'pagernk'], /pagernk.*pagerank/],
    [
      'a scope nobody knows',
      ['crawl', 'a.org', '--scope', 'site'],
      /--scope.*host, domain, anywhere/,
    ],
    [
      'an address that is none',
      ['crawl', 'ftp://a.org/'],
      /"ftp:\/\/a\.org\/" is not a web address/,
    ],
    ['a resolve rule without a port', ['crawl', 'a.org', '--resolve', '*=127.0.0.1'], /--resolve/],
    [
      'an archive and a way to its server',
      ['crawl', '--archive', 'x', '--resolve', '*=127.0.0.1:1'],
      /--archive.*leave out --resolve/,
    ],
    [
      'an introduction of two lines',
      ['crawl', 'a.org', '--user-agent', 'My\nBot'],
      /--user-agent.*plain ASCII/s,
    ],
    [
      'an endless address',
      ['crawl', `https://a.org/${'x'.repeat(3000)}`],
      /longer than 2000 characters/,
    ],
    [
      'sizes that are none',
      ['lab', 'run', 'selection', '--archive', 'x', '--sizes', ','],
      /--sizes names none/,
    ],
    [
      'a seed file that is missing',
      ['crawl', '--seeds', 'no-such-file'],
      /--seeds no-such-file: there is no such file/,
    ],
    ['an archive that is missing', ['lab', 'serve', 'no-such-dir'], /no-such-dir: no such folder/],
    [
      'an experiment nobody knows',
      ['lab', 'run', 'magic', '--archive', 'x'],
      /no experiment "magic": choose one of selection/,
    ],
    ['an experiment without an archive', ['lab', 'run', 'selection'], /--archive DIR/],
    ['a plan without a crawl', ['plan', '--dir', 'no-such-dir'], /no crawl in no-such-dir/],
    ['a status without a crawl', ['status', '--dir', 'no-such-dir'], /no crawl in no-such-dir/],
  ])('%s', async (_, args, message) => {
    const { child, ended } = startForager(args, folder)
    const { code, stdout, stderr } = await ended
    expect(child.exitCode).toBe(2)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2) // commander adds a suggestion
  })

  test('a new directory without seeds', async () => {
    const { code, stderr } = await forager('crawl', '--dir', inFolder('empty'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/name at least one seed URL/)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  })

  test('an empty seed file', async () => {
    writeFileSync(inFolder('seeds.txt'), '# none yet\n\n')
    const { code, stderr } = await forager(
      'crawl',
      '--seeds',
      inFolder('seeds.txt'),
      '--dir',
      inFolder('empty'),
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/seeds\.txt has no seed URLs/)
  })

  test('a truncated gzip', async () => {
    const dir = damagedArchive('truncated', 'versions.jsonl.gz', (bytes) =>
      bytes.subarray(0, bytes.length / 2),
    )
    const { code, stderr } = await forager('lab', 'run', 'selection', '--archive', dir)
    expect(code).toBe(2)
    expect(stderr).toMatch(/versions\.jsonl\.gz/)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  })

  test('a bad JSON line', async () => {
    const dir = damagedArchive('badjson', 'pages.jsonl.gz', () => gzipSync('{"i":0,"url":\n'))
    const { code, stderr } = await forager('crawl', '--archive', dir, '--dir', inFolder('unused'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/pages\.jsonl\.gz.*1/)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  })
})

test('a place that cannot be written gets one clear line, before any work is done', async () => {
  writeFileSync(inFolder('a-file'), '')
  const unreadable = damagedArchive('unreadable', 'pages.jsonl.gz', () => Buffer.of(0))
  const run = (...args: string[]) =>
    forager('lab', 'run', 'selection', '--archive', unreadable, '--sizes', '10', ...args)
  const inFile = join(inFolder('a-file'), 'out')
  for (const args of [
    ['--out', inFile],
    ['--out', folder],
    ['--report', inFile],
    ['--figures', inFile],
    ['--dump', inFile],
  ]) {
    const { code, stderr } = await run('--policies', 'bfs', ...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(`^forager: ${args[0]}: .* cannot be written .*\\n$`))
  }
})

test('a crawl goes on with the scope it was begun with, or not at all', async () => {
  const args = ['crawl', '--archive', archive, '--dir', inFolder('scoped')]
  expect((await forager(...args, '--budget', '5', '--scope', 'domain')).code).toBe(0)
  const narrower = await forager(...args, '--budget', '10', '--scope', 'host')
  expect(narrower.code).toBe(2)
  expect(narrower.stderr).toMatch(/begun with --scope domain/)
  expect((await forager(...args, '--budget', '10')).code).toBe(0)
})

test("an archive's name cannot lead a dump out of its folder", async () => {
  const sly = damagedArchive('sly', 'site.json', (bytes) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), id: '../sly' })),
  )
  const dump = join(inFolder('dumps'), 'inner')
  const both = ['--archive', archive, '--archive', sly, '--dump', dump]
  await forager('lab', 'run', 'selection', ...both, '--policies', 'bfs', '--sizes', '10')
  expect(readdirSync(dump)).toEqual(['.._sly-bfs-10.txt', 'model-web-3-bfs-10.txt'])
  expect(readdirSync(inFolder('dumps'))).toEqual(['inner'])
})

test('two archives of one name keep their selections apart', async () => {
  const dump = inFolder('namesakes')
  const twice = ['--archive', archive, '--archive', archive, '--dump', dump]
  await forager('lab', 'run', 'selection', ...twice, '--policies', 'bfs', '--sizes', '10')
  expect(readdirSync(dump)).toEqual(['model-web-3-2-bfs-10.txt', 'model-web-3-bfs-10.txt'])
})

test('a host that cannot be reached gets one clear line and exit code 1', async () => {
  const resolve = `*=127.0.0.1:${await closedPort()}`
  const { code, stderr } = await forager(
    'crawl',
    'http://dead.test/',
    '--dir',
    inFolder('dead'),
    '--resolve',
    resolve,
    '--json',
  )
  expect(code).toBe(1)
  expect(stderr).toMatch(/nothing could be fetched: http:\/\/dead\.test\/: .*refused/i)
  expect(stderr.trimEnd().split('\n').length).toBe(1)
})

test('a crawl can be planned, run, looked at and gone on with', async () => {
  const dir = inFolder('crawl')
  const args = ['crawl', '--archive', archive, '--dir', dir, '--json']
  const first = await forager(...args, '--budget', '60')
  expect(first.code).toBe(0)
  expect(JSON.parse(first.stdout)).toMatchObject({ end: 'budget spent', spent: 60, fetchedNow: 60 })

  const byLinks = ['plan', '--policy', 'pagerank', '--dir', dir, '--budget', '5', '--json']
  const plan = JSON.parse((await forager(...byLinks)).stdout)
  expect(plan.fetches.length).toBe(5)
  expect(plan.fetches[0]).toMatchObject({
    purpose: 'acquire',
    why: expect.stringMatching(/PageRank/),
  })

  const again = JSON.parse((await forager(...args, '--budget', '60')).stdout)
  expect(again).toMatchObject({ end: 'budget spent', spent: 60, fetchedNow: 0 })

  const more = JSON.parse((await forager(...args, '--budget', '100')).stdout)
  expect(more).toMatchObject({ spent: 100, fetchedNow: 40 })

  const status = JSON.parse((await forager('status', '--dir', dir, '--json')).stdout)
  expect(status).toMatchObject({ spent: 100, known: more.known })
  expect((await forager('status', '--dir', dir)).stdout).toMatch(/100 fetches/)
})

test('Ctrl-C stops cleanly, and the next run goes on; meanwhile others see how far it is', async () => {
  const dir = inFolder('stopped')
  let asked = 0
  let onEnough = () => {}
  const enough = new Promise<void>((resolve) => {
    onEnough = resolve
  })
  const site = await startEndlessSite(() => {
    if (++asked === 150) onEnough()
  })
  const args = [
    'crawl',
    'http://h0.test/0',
    '--dir',
    dir,
    '--delay',
    '0.02',
    '--resolve',
    site.resolve,
    '--json',
  ]
  const { child, ended } = startForager([...args, '--budget', '100000'])
  await enough
  const rival = await forager(...args, '--budget', '5')
  expect(rival.code).toBe(2)
  expect(rival.stderr).toMatch(/in use by another process \(PID \d+\)/)
  const running = JSON.parse((await forager('status', '--dir', dir, '--json')).stdout)
  expect(running.running).toMatchObject({ pid: child.pid, budget: 100000 })
  child.kill('SIGINT')
  const first = await ended
  expect(first.code).toBe(0)
  const stopped = JSON.parse(first.stdout)
  expect(stopped.end).toBe('stopped')
  expect(stopped.spent).toBe(asked)
  const next = JSON.parse((await forager(...args, '--budget', String(stopped.spent + 10))).stdout)
  expect(next).toMatchObject({ end: 'budget spent', fetchedNow: 10 })
  site.close()
})

test('lab run selection writes result, report and selections', async () => {
  const [out, report, dump] = ['out.json', 'report.html', 'dump'].map(inFolder)
  const args = ['--policies', 'bfs,indegree,td-indegree,pagerank,random', '--sizes', '50,200']
  const run = await forager(
    'lab',
    'run',
    'selection',
    '--archive',
    archive,
    ...args,
    '--out',
    out,
    '--report',
    report,
    '--dump',
    dump,
  )
  expect(run.code).toBe(0)
  const { experiment, rows } = JSON.parse(readFileSync(out, 'utf8'))
  expect(experiment).toBe('selection')
  expect(rows.length).toBe(10)
  for (const row of rows) {
    expect(row.maxNdcg).toBeGreaterThanOrEqual(0)
    expect(row.maxNdcg).toBeLessThanOrEqual(1)
    const urls = readFileSync(join(dump, `${row.policy}-${row.size}.txt`), 'utf8')
      .trimEnd()
      .split('\n')
    expect(urls.length).toBe(row.selected)
  }
  expect(readFileSync(report, 'utf8')).toMatch(/<svg[\s\S]*maxNDCG/)
})

test('lab generate gives the same bytes for the same seed, and replaces nothing by itself', async () => {
  const generate = (name: string, ...more: string[]) =>
    forager(
      'lab',
      'generate',
      '--seed',
      '5',
      '--pages',
      '500',
      '--weeks',
      '2',
      '--out',
      inFolder(name),
      ...more,
    )
  expect((await generate('one')).code).toBe(0)
  expect((await generate('two')).code).toBe(0)
  for (const file of readdirSync(inFolder('one')))
    expect(
      readFileSync(join(inFolder('one'), file)).equals(readFileSync(join(inFolder('two'), file))),
      file,
    ).toBe(true)
  expect((await generate('one')).code).toBe(2)
  expect((await generate('one', '--replace')).code).toBe(0)
})

test('lab list names archives, experiments and policies', async () => {
  const listed = JSON.parse((await forager('lab', 'list', folder, '--json')).stdout)
  expect(listed.archives.map(({ dir }: { dir: string }) => dir)).toContain(archive)
  expect(listed.experiments[0].name).toBe('selection')
  expect(listed.policies.length).toBeGreaterThanOrEqual(6)
})

test('every command explains itself with an example', async () => {
  const commands = [
    [],
    ['crawl'],
    ['plan'],
    ['explain'],
    ['status'],
    ['fetch'],
    ['pause'],
    ['resume'],
    ['stop'],
    ['demo'],
    ['search'],
    ['serve'],
    ['queries'],
    ['queries', 'import'],
    ['queries', 'export'],
    ['queries', 'list'],
    ['queries', 'needy'],
    ['lab', 'generate'],
    ['lab', 'serve'],
    ['lab', 'list'],
    ['lab', 'run'],
  ]
  const helps = await Promise.all(commands.map((command) => forager(...command, '--help')))
  for (const [i, { code, stdout }] of helps.entries()) {
    expect(code).toBe(0)
    expect(stdout, commands[i].join(' ')).toMatch(/Examples?:\n {2}forager/)
  }
})
