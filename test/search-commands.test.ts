import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { searchableCrawl } from '#library/search/searchable-crawl.test-kit.ts'
import { startEndlessSite } from './endless-site.ts'
import { forager, startForager } from './forager-process.ts'

const dir = searchableCrawl([
  { url: 'https://a.example/trails', title: 'Trails \u001b[31m& hills', text: 'Hiking is fun.' },
  { url: 'https://a.example/shoes', title: 'Shoes', text: 'For the hike.' },
])
afterAll(() => rmSync(dir, { recursive: true, force: true }))

describe('forager search', () => {
  test('prints results, and nothing that commands a terminal', async () => {
    const { code, stdout } = await forager('search', 'hiking', 'trails', '--dir', dir)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^ 1\. Trails \[31m& hills\n {4}https:\/\/a\.example\/trails\n {4}Hiking is fun\.\n/,
    )
    expect(stdout).toMatch(/2 results in [\d.]+ ms\n$/)
    expect(stdout).not.toContain('\u001b')
  })

  test('prints as JSON what the API answers', async () => {
    const { stdout } = await forager('search', 'trail', '--dir', dir, '--json', '--limit', '1')
    expect(JSON.parse(stdout)).toMatchObject({
      query: 'trail',
      limit: 1,
      total: 1,
      results: [{ rank: 1, url: 'https://a.example/trails', snippet: { text: 'Hiking is fun.' } }],
    })
  })

  test('-word keeps pages away, wherever it stands; options still do what they do', async () => {
    const args = ['hiking', '-shoes', '--json', '--dir', dir, '--limit', '3', '-hill']
    const { stdout } = await forager('search', ...args)
    expect(JSON.parse(stdout)).toMatchObject({ query: 'hiking -shoes -hill', limit: 3, total: 0 })
    const one = await forager('search', 'hiking', '-shoes', '--dir', dir, '--json')
    expect(JSON.parse(one.stdout)).toMatchObject({ total: 1 })
  })

  test.each([
    ['an option that is mistyped', ['x', '--dri', dir], /unknown option '--dri'/],
    ['no words', ['--dir', dir], /missing required argument 'words'/],
    ['blank words', [' ', '--dir', dir], /nothing to search for/],
    ['a directory without an index', ['x', '--dir', join(dir, 'none')], /no index in .*crawl/],
    ['too many results', ['x', '--dir', dir, '--limit', '101'], /--limit 101: at most 100/],
  ])('%s: one clear line and exit code 2', async (_, args, message) => {
    const { code, stdout, stderr } = await forager('search', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  })

  test('a damaged index is named with what repairs it, and never answered from', async () => {
    const damaged = searchableCrawl([{ url: 'https://a.example/', title: 'A', text: 'Hiking.' }])
    const path = join(damaged, 'index', 'segment-1.bin')
    const bytes = readFileSync(path)
    bytes[bytes.length - 1] ^= 1
    writeFileSync(path, bytes)
    const { code, stdout, stderr } = await forager('search', 'hiking', '--dir', damaged)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /segment-1.bin is damaged .*: forager check --dir .* --repair mends it\n$/,
    )
    expect(stderr.trimEnd().split('\n').length).toBe(1)
    rmSync(damaged, { recursive: true })
  })

  test('finds nothing without failing, and says what to try', async () => {
    const { code, stdout } = await forager('search', 'zzz', '--dir', dir)
    expect(code).toBe(0)
    expect(stdout).toMatch(/nothing found for "zzz" among 2 pages: try fewer/)
  })
})

const firstWords = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    child.stdout!.once('data', (data) => resolve(String(data)))
  })

test('forager serve says where it listens, answers, keeps no log if told so, and ends on a signal', async () => {
  const args = ['serve', '--dir', dir, '--port', '0', '--no-query-log', '--json']
  const { child, ended } = startForager(args)
  const { url, pages, log } = JSON.parse(await firstWords(child))
  expect({ pages, log }).toEqual({ pages: 2, log: false })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  expect(await (await fetch(`${url}search?q=hike`)).text()).toContain('2 results')
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  expect(existsSync(join(dir, 'queries'))).toBe(false)
})

test('a crawl that runs can be searched, and what it adds is found', async () => {
  const running = mkdtempSync(join(tmpdir(), 'forager-running-'))
  let asked = 0
  let wanted = Number.POSITIVE_INFINITY
  let onEnough = () => {}
  const site = await startEndlessSite(() => {
    if (++asked >= wanted) onEnough()
  })
  const untilAsked = (more: number) =>
    new Promise<void>((resolve) => {
      wanted = asked + more
      onEnough = resolve
    })
  const start = ['crawl', 'http://h0.test/0', '--dir', running, '--resolve', site.resolve]
  const crawl = startForager([...start, '--delay', '0.01', '--batch', '20', '--budget', '100000'])
  await untilAsked(150)
  const serve = startForager(['serve', '--dir', running, '--port', '0', '--json'])
  const { url } = JSON.parse(await firstWords(serve.child))
  const total = async () => JSON.parse(await (await fetch(`${url}api/search?q=page`)).text()).total
  const before = await total()
  expect(before).toBeGreaterThan(20)
  await untilAsked(200)
  expect(await total()).toBeGreaterThan(before)
  expect((await forager('search', 'page', '--dir', running)).code).toBe(0)
  for (const { child, ended } of [serve, crawl]) {
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  }
  site.close()
  rmSync(running, { recursive: true, force: true })
})

test('a log that cannot be written is a mistake with one clear line', async () => {
  const blocked = searchableCrawl([{ url: 'https://a.example/', title: 'A', text: 'a' }])
  writeFileSync(join(blocked, 'queries'), 'not a folder')
  const { code, stderr } = await forager('serve', '--dir', blocked, '--port', '0')
  expect(code).toBe(2)
  expect(stderr).toMatch(/^forager: searches cannot be kept in .*queries.*--no-query-log\n$/)
  rmSync(blocked, { recursive: true, force: true })
})

test('a port that is none is a mistake with one clear line', async () => {
  const { code, stderr } = await forager('serve', '--dir', dir, '--port', '70000')
  expect(code).toBe(2)
  expect(stderr).toMatch(/^forager: option '--port <n>' .*'70000'.* from 0 to 65535\.\n$/)
})
