import { execFile } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { CrawlNote } from '../src/forager.ts'
import {
  importQueryList,
  lookAtCrawl,
  needyQueries,
  openCrawl,
  readStatus,
  runService,
  SettingError,
} from '../src/forager.ts'
import { runExperiment } from '../src/lab.ts'
import { modelWebFolder } from './model-web-folder.ts'
import { readmeExample } from './readme-example.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const { folder, archive, inFolder } = modelWebFolder(2)

test("the README's example runs as it stands", async () => {
  const door = pathToFileURL(resolve('src/forager.ts')).href
  const program = readmeExample()
    .replace("'forager'", `'${door}'`)
    .replace("'modelweb'", `'${archive}'`)
  writeFileSync(inFolder('example.mjs'), program)
  const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: folder })
  expect(stdout).toMatch(/^budget spent: 200 fetches, \d+ URLs known\n(\S+ http\S+ .*\n){3}/)
})

describe('a crawl of the library', () => {
  test('runs, goes on, plans, explains, searches and tells how far it is', async () => {
    const dir = inFolder('crawl')
    await importQueryList(dir, [{ text: 'garden', weight: 3 }])
    const notes: CrawlNote[] = []
    const outcomes: string[] = []
    await using crawl = await openCrawl(
      { dir, archive, budget: 60, scope: 'anywhere' },
      { note: (note) => notes.push(note) },
    )
    const on = { outcome: ({ kind }: { kind: string }) => outcomes.push(kind) }
    const first = await crawl.run({ on })
    expect(first).toMatchObject({
      end: 'budget spent',
      spent: 60,
      fetchedNow: 60,
      policy: 'unified',
    })
    expect(outcomes.length).toBeGreaterThanOrEqual(60)
    const more = await crawl.run({ budget: 80 })
    expect(more).toMatchObject({ spent: 80, fetchedNow: 20 })
    const { fetches } = await crawl.plan(5)
    expect(fetches).toHaveLength(5)
    const report = await crawl.explain(fetches[0].url, 5)
    expect(report).toMatchObject({ known: true, bid: { place: 1, planned: true } })
    const { results } = crawl.search('the', { limit: 3 })
    expect(results.length).toBeLessThanOrEqual(3)
    expect(await crawl.status()).toMatchObject({ dir, spent: 80, policy: 'unified' })
    expect(notes).toEqual([])
  })

  test('can be looked at when it is closed, and gives the same plan', async () => {
    const dir = inFolder('looked-at')
    const crawl = await openCrawl({ dir, archive, budget: 50, policy: 'pagerank' })
    await crawl.run()
    const { fetches } = await crawl.plan(10)
    await crawl.close()
    const notes: CrawlNote[] = []
    await using view = await lookAtCrawl({ dir }, { note: (note) => notes.push(note) })
    expect((await view.plan(10)).fetches).toEqual(fetches)
    expect(notes.map(({ kind }) => kind)).toEqual(['archive time', 'policy as before'])
    expect((await readStatus(dir)).spent).toBe(50)
    expect((await needyQueries(dir, 3)).synthetic).toBe(true)
  })

  test('stops when a signal says so', async () => {
    const stop = new AbortController()
    await using crawl = await openCrawl({
      dir: inFolder('stopped'),
      archive,
      budget: 500,
      batch: 10,
    })
    const { end, spent } = await crawl.run({
      signal: stop.signal,
      on: { cycle: () => stop.abort() },
    })
    expect(end).toBe('stopped')
    expect(spent).toBeGreaterThan(0)
    expect(spent).toBeLessThan(100)
  })

  test('that never ran leaves no folder behind', async () => {
    const crawl = await openCrawl({ dir: inFolder('never'), archive })
    await crawl.close()
    expect(existsSync(inFolder('never'))).toBe(false)
    expect(readdirSync(folder)).not.toContain('never')
  })
})

test.each([
  [
    { budget: -3 },
    'budget',
    /^budget must be a whole number of at least 1, or so many more than so far, as in \+500, not -3/,
  ],
  [{ policy: 'pagernk' }, 'policy', /^policy must be one of .*pagerank/],
  [{ colour: 'red' }, 'colour', /^there is no setting "colour"/],
  [{ sedes: ['https://a.example/'] }, 'sedes', /"sedes"; did you mean "seeds"\?/],
  [{ archive: undefined, seeds: ['https://a.example/'] }, 'contact', /must say whom to write to/],
  [{ archive: undefined, seeds: ['ftp://a.example/'] }, 'seeds', /is not a web address/],
  [{ untilGain: 0.1, policy: 'bfs' }, 'untilGain', /choose policy unified/],
  [{ index: false, policy: 'impact' }, 'policy', /crawl without index: false/],
])('a mistake names its setting and no flag: %j', async (options, setting, message) => {
  const opening = openCrawl({ dir: inFolder('mistaken'), archive, ...options })
  const error = await opening
    .then((crawl) => crawl.run().finally(() => crawl.close()))
    .catch((e) => e)
  expect(error).toBeInstanceOf(SettingError)
  expect(error).toMatchObject({ setting, message: expect.stringMatching(message) })
  expect(error.message).not.toMatch(/--[a-z]/)
  expect(existsSync(inFolder('mistaken'))).toBe(false)
})

test('a service runs at its rate until it is told to stop, and reads its settings anew for a reload', async () => {
  const links = Array.from({ length: 40 }, (_, i) => `<a href="/${i}">${i}</a>`).join('')
  using site = await startScriptedSite({ '/': html(links), '/robots.txt': html('') })
  const [stop, rates] = [new AbortController(), [6, 9]]
  const spentAtWaits: number[] = []
  let reload = () => {}
  const summary = await runService({
    read: () => ({
      ...{ dir: inFolder('service'), seeds: ['http://own.test/'], resolve: [site.resolve] },
      ...{ policy: 'bfs', delay: 0, sitemaps: false, fetchesADay: rates.shift() },
    }),
    signal: stop.signal,
    onReload: (how) => {
      reload = how
    },
    begin: (crawl, rate) => ({
      beat: () => {
        if (rate.waits === undefined) return
        expect([rate.leftInDay(), rate.waits.why]).toEqual([0, 'rate'])
        spentAtWaits.push(crawl.opened.state.spent)
        if (rates.length > 0) reload()
        else stop.abort()
      },
    }),
  })
  expect(spentAtWaits).toEqual([6, 9])
  expect(summary).toMatchObject({ end: 'stopped', spent: 9, fetchedNow: 3 })
})

test('plans by depth are for 600 answers at least, unless a crawl is told otherwise', async () => {
  using site = await startScriptedSite({
    '/': html('<a href=/a>A</a>'),
    '/a': html('A'),
    '/robots.txt': html(''),
  })
  const aheadBy = async (policy: string, batch?: number) => {
    const ahead: (number | undefined)[] = []
    const live = { seeds: ['http://own.test/'], resolve: [site.resolve], delay: 0, budget: 2 }
    await using crawl = await openCrawl({
      ...live,
      dir: inFolder(`${policy}-${batch}`),
      policy,
      batch,
    })
    await crawl.run({ on: { cycle: ({ plan }) => ahead.push(plan?.ahead) } })
    return [...new Set(ahead)]
  }
  expect(await aheadBy('bfs')).toEqual([600])
  expect(await aheadBy('bfs', 7)).toEqual([7])
  expect(await aheadBy('random')).toEqual([50])
})

test('an experiment gives its rows', async () => {
  const { rows, keys } = await runExperiment('selection', {
    archive: [archive],
    policies: 'bfs,pagerank',
    sizes: '100',
  })
  expect(rows.length).toBeGreaterThan(0)
  for (const key of keys) expect(rows[0]).toHaveProperty(key)
  await expect(runExperiment('nothing', { archive: [archive] })).rejects.toThrow(SettingError)
})
