import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { damagedArchive } from './damaged-archive.ts'
import { foragerIn, startForager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const { archive, folder, inFolder } = modelWebFolder(1)

const nested = '['.repeat(1e5) + ']'.repeat(1e5)
const result = (row: string) => `{"experiment": "x", "keys": ["a"], "rows": [{"a": ${row}}]}`
const PAGE = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>x</title>'
const record = (date: string) =>
  `WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: ${date}\r\nWARC-Target-URI: http://a.org/\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}\r\n\r\n`

function written(name: string, bytes: string | Buffer): string {
  writeFileSync(inFolder(name), bytes)
  return inFolder(name)
}

async function mustComplain(args: readonly string[], message: RegExp, run = foragerIn) {
  const { code, stderr } = await run(folder, ...args)
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/\n\s+at |\[Error|fault of forager/)
  expect(code).toBe(2)
}

describe('a broken file is named with what is wrong, and the exit code is 2', () => {
  test.each([
    [
      'a query of lists in lists',
      'ubi',
      `{"user_query": ${nested}}`,
      /broken\.log, line 1: user_query is no text/,
    ],
    [
      'a record with its own toString',
      'gsc',
      '[{"keys": [{"toString": 1}]}]',
      /line 1: no query text/,
    ],
    ['an endless quote', 'csv', `"${'a'.repeat(12 << 20)}`, /line 1: longer than 1 MiB/],
    [
      'a gzip cut off',
      'csv',
      gzipSync('cats,3\n'.repeat(99)).subarray(0, -6),
      /damaged gzip after line/,
    ],
    ['zeros', 'trec', Buffer.alloc(1000), /could be used as trec: is --format right/],
    ['accounts of a system', 'csv', 'root:x:0:0:root:/root:/bin/sh\n', /fields between colons/],
  ])('a log: %s', async (_, format, bytes, message) => {
    const log = written('broken.log', bytes)
    await mustComplain(
      ['queries', 'import', log, '--format', format, '--dir', inFolder('q')],
      message,
    )
  })

  test('a path in a circle', async () => {
    symlinkSync(inFolder('circle'), inFolder('circle'))
    const args = [
      'queries',
      'import',
      inFolder('circle'),
      '--format',
      'csv',
      '--dir',
      inFolder('q'),
    ]
    await mustComplain(args, /circle: its symbolic links lead in a circle/)
  })

  test.each([
    ['garbage', Buffer.alloc(5000, 0xa5), /broken\.warc, byte 0: no WARC record here/],
    [
      'nothing but the magic of gzip',
      Buffer.from([0x1f, 0x8b]),
      /broken\.warc: no page among \d records/,
    ],
    [
      'a date beyond all',
      record('+275760-01-01T00:00:00Z'),
      /broken\.warc: no page among 1 records/,
    ],
    ['a date of nobody', record('yesterday'), /broken\.warc: no page among \d records/],
  ])('a WARC file: %s', async (_, bytes, message) => {
    const file = written('broken.warc', bytes)
    await mustComplain(['lab', 'import', '--warc', file, '--out', inFolder('out')], message)
  })

  test('a repository without one of its folders', async () => {
    const dir = inFolder('repository')
    mkdirSync(dir)
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org']
    const git = (...args: string[]) =>
      execFileSync('git', [...who, ...args], { cwd: dir, encoding: 'utf8' }).trim()
    git('init', '--quiet')
    writeFileSync(join(dir, 'index.html'), '<title>x</title>')
    git('add', '--all')
    git('commit', '--quiet', '--message=x')
    const tree = git('rev-parse', 'HEAD^{tree}')
    rmSync(join(dir, '.git', 'objects', tree.slice(0, 2), tree.slice(2)))
    const args = [
      'lab',
      'import',
      '--git',
      dir,
      '--url',
      'https://a.org/',
      '--out',
      inFolder('out'),
    ]
    await mustComplain(args, /the repository lacks the files of its commits: try git fsck/)
  })

  test.each([
    [
      'site.json',
      'values nested deep',
      () => Buffer.from(`{"format": ${nested}}`),
      /site\.json: format must be .* not a value nested too deep/,
    ],
    [
      'links.jsonl.gz',
      'cut',
      (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1),
      /links\.jsonl\.gz: truncated gzip/,
    ],
    [
      'versions.jsonl.gz',
      'no object',
      () => gzipSync('null\n'),
      /versions\.jsonl\.gz, line 1: must be an object/,
    ],
  ])('an archive whose %s is damaged: %s', async (file, name, change, message) => {
    const dir = damagedArchive(archive, inFolder(`${file}-${name}`), file, change)
    await mustComplain(['lab', 'run', 'selection', '--archive', dir, '--policies', 'bfs'], message)
  })

  test.each([
    [
      'nested deep',
      `{"budget": ${nested}}`,
      /budget must be a whole number .* not a value nested too deep/,
    ],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /broken\.json is not valid JSON/],
  ])('a config file: %s', async (_, bytes, message) => {
    await mustComplain(['crawl', 'a.org', '--config', written('broken.json', bytes)], message)
  })

  test.each([
    ['nested deep', result(nested)],
    ['of objects for keys', result('{"toString": 1}')],
  ])('a result to compare: %s', async (_, text) => {
    const file = written('broken-result.json', text)
    await mustComplain(
      ['lab', 'compare', file, file],
      /broken-result\.json is no result of forager/,
    )
  })

  test.each([
    ['that throws nothing', 'throw undefined', /cannot be loaded: undefined/],
    ['that never loads', 'await new Promise(() => {})', /cannot be loaded: it awaits something/],
    [
      'that fails later',
      'setTimeout(() => { throw new Error("late") }, 0); await new Promise((end) => setTimeout(end, 5000))',
      /failed: Error: late/,
    ],
  ])('a policy file %s', async (_, source, message) => {
    const file = written('broken-policy.js', source)
    const args = ['lab', 'run', 'selection', '--archive', archive, '--policy-file', file]
    const inItsOwnProcess: typeof foragerIn = (cwd, ...words) => startForager(words, cwd).ended
    await mustComplain(args, message, inItsOwnProcess)
  })
})
