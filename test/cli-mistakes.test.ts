import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { damagedArchive } from './damaged-archive.ts'
import { forager, foragerIn, startForager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const { folder, archive, inFolder } = modelWebFolder(2)

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
    ['help of an unknown command', ['crwal', '--help'], /unknown command 'crwal'/],
    ['an unknown flag', ['crawl', '--bugdet', '5'], /unknown option '--bugdet'/],
    [
      'a budget of no more',
      ['crawl', 'a.org', '--budget', '+0'],
      /--budget <n>.*'\+0'.*at least 1, or so many more than so far, as in \+500/,
    ],
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
    [
      'an address whose scheme is none',
      ['crawl', 'ht!tp://a.org/'],
      /"ht!tp:\/\/a\.org\/" is not a web address/,
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
      ['lab', 'run', 'selection', '--archive', archive, '--sizes', ','],
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
    const { code, stdout, stderr } = await foragerIn(folder, ...args)
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

  test('a file where a folder is meant', async () => {
    const file = inFolder('not-a-folder')
    writeFileSync(file, '')
    const live = ['crawl', 'http://a.test/', '--resolve', '*=127.0.0.1:1', '--dir', inFolder('dir')]
    for (const args of [
      ['lab', 'list', file],
      ['crawl', '--archive', archive, '--dir', file],
      [...live, '--warc-dir', file],
    ]) {
      const { code, stderr } = await forager(...args)
      expect(code, stderr).toBe(2)
      expect(stderr).toMatch(/^forager: .*not-a-folder.*(choose another|name an archive).*\n$/)
    }
  })

  test('a truncated gzip', async () => {
    const dir = damagedArchive(archive, inFolder('truncated'), 'versions.jsonl.gz', (bytes) =>
      bytes.subarray(0, bytes.length / 2),
    )
    const { code, stderr } = await forager('lab', 'run', 'selection', '--archive', dir)
    expect(code).toBe(2)
    expect(stderr).toMatch(/versions\.jsonl\.gz/)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  })

  test('a bad JSON line', async () => {
    const dir = damagedArchive(archive, inFolder('badjson'), 'pages.jsonl.gz', () =>
      gzipSync('{"i":0,"url":\n'),
    )
    const { code, stderr } = await forager('crawl', '--archive', dir, '--dir', inFolder('unused'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/pages\.jsonl\.gz.*1/)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  })
})

test('a place that cannot be written gets one clear line, before any work is done', async () => {
  writeFileSync(inFolder('a-file'), '')
  const unreadable = damagedArchive(archive, inFolder('unreadable'), 'pages.jsonl.gz', () =>
    Buffer.of(0),
  )
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

test('where nobody reads the line, the exit code still tells', async () => {
  const { child, ended } = startForager(['plan', '--dir', 'no-such-dir'], folder)
  child.stderr!.destroy()
  expect((await ended).code).toBe(2)
})

test('nothing is crawled or imported into the folder of a recorded web', async () => {
  const before = readdirSync(archive)
  writeFileSync(inFolder('log.csv'), 'query,count\nhills,3\n')
  for (const args of [
    ['crawl', '--archive', archive],
    ['crawl', 'http://a.test/', '--resolve', '*=127.0.0.1:1'],
    ['queries', 'import', inFolder('log.csv'), '--format', 'csv'],
  ]) {
    const { code, stderr } = await forager(...args, '--dir', archive)
    expect(code, stderr).toBe(2)
    expect(stderr).toMatch(/^forager: .*modelweb holds a recorded web.*choose another --dir\n$/)
  }
  expect(readdirSync(archive)).toEqual(before)
})

test.each(['md:x', 'file:x', 'ü 日本'])(
  'a folder called %s is a folder like any other',
  async (dir) => {
    writeFileSync(inFolder('log.csv'), 'query,count\nhills,3\n')
    const args = ['queries', 'import', 'log.csv', '--format', 'csv', '--dir', dir]
    const { code, stderr } = await foragerIn(folder, ...args)
    expect(code, stderr).toBe(0)
    expect(existsSync(join(folder, dir, 'state.duckdb'))).toBe(true)
  },
)

test('a crawl or an import that cannot begin leaves no directory behind', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  writeFileSync(inFolder('bad.csv'), 'neither,this\nnor,that\n')
  writeFileSync(inFolder('empty.csv'), '')
  const crawl = ['crawl', '--archive', archive]
  const live = ['crawl', 'http://a.test/', '--resolve', '*=127.0.0.1:1']
  for (const [args, message] of [
    [['queries', 'import', inFolder('bad.csv'), '--format', 'csv'], /bad\.csv/],
    [['queries', 'import', inFolder('empty.csv'), '--format', 'csv'], /nothing in there/],
    [[...crawl, '--metrics-port', `${port}`], /EADDRINUSE/],
    [[...crawl, '--no-index', '--policy', 'impact'], /needs the index/],
    [[...crawl, '--policy', 'bfs', '--until-gain', '0.1'], /--until-gain needs a policy/],
    [[...live, '--warc-dir', inFolder('bad.csv')], /--warc-dir/],
  ] as const) {
    const { code, stdout, stderr } = await forager(...args, '--dir', inFolder('deep/new'))
    expect(stdout).not.toMatch(/^imported/)
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(message) })
    expect(existsSync(inFolder('deep')), stderr).toBe(false)
  }
  await new Promise((resolve) => taken.close(resolve))
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

test('a port that is not for the web is refused whatever is allowed, unless --resolve says so', async () => {
  const args = ['--contact', 'you@example.org', '--allow-private', '--no-sitemaps', '--json']
  const port = ['http://127.0.0.1:6667/', '--dir', inFolder('port')]
  const { code, stderr } = await forager('crawl', ...port, ...args)
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /port 6667 is another protocol's.*--resolve '127\.0\.0\.1=ADDRESS:6667'\n$/,
  )
  const meant = ['--resolve', `127.0.0.1=127.0.0.1:${await closedPort()}`]
  const again = await forager('crawl', ...port, ...args, ...meant)
  expect(JSON.parse(again.stdout)).toMatchObject({ outcomes: { failed: 1 } })
})

test('a private address that was not meant gets one clear line and exit code 1', async () => {
  const url = `http://127.0.0.1:${await closedPort()}/`
  const args = ['--contact', 'you@example.org', '--dir', inFolder('private'), '--json']
  const { code, stdout, stderr } = await forager('crawl', url, ...args)
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ spent: 0, outcomes: { forbidden: 1 } })
  expect(stderr).toMatch(
    /^forager: nothing could be fetched: http\S+ is not asked \(loopback address .*--allow-private\n$/,
  )
  const again = await forager('crawl', ...args, '--allow-private')
  expect(JSON.parse(again.stdout)).toMatchObject({ outcomes: { failed: 1 } })
})
