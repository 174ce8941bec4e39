import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as anyTest, beforeAll, expect, onTestFinished } from 'vitest'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { apply } from '#learn/apply.ts'
import { type Knowledge, knowledge } from '#learn/knowledge.ts'
import { act, type ControlAction } from '#library/actions/control-actions.ts'
import { type Crawl, lookAtCrawl, openCrawl } from '#library/crawl.ts'
import { planAgain } from '#library/plan/plan-again.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { indexedPagesPart } from '#repository/check/check-indexed-pages.ts'
import { rebuildIndex } from '#repository/check/rebuild-index.ts'
import { instructionInbox } from '#repository/inbox/instruction-inbox.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'

/** They crawl and open directories again and again: CI alone has the time. */
const test = anyTest.runIf(isThorough)

const folder = sharedFolder()
const archive = join(folder, 'web')
beforeAll(() => writeArchive(archive, generateModelWeb({ seed: 5, pages: 500, weeks: 2 })))

const newDir = () => mkdtempSync(join(folder, 'crawl-'))
const open = (dir: string, at: number) => openCrawl({ dir, archive, at, policy: 'bfs' })

/** Crawls so many fetches more, at a snapshot of the web; gives the addresses that were fetched. */
async function crawl(dir: string, fetches: number, { at = 0, onFetch = noted } = {}) {
  await using crawl = await open(dir, at)
  const fetched: string[] = []
  await crawl.run({
    budget: crawl.opened.state.spent + fetches,
    on: {
      outcome: ({ url }) => {
        fetched.push(url)
        onFetch(url, crawl)
      },
    },
  })
  return fetched
}
const noted = (_url: string, _crawl: Crawl) => {}

async function look(dir: string) {
  const view = await lookAtCrawl({ dir }, { withIndex: true })
  onTestFinished(() => view.close())
  return view
}

/** Tells a crawl at rest what the control room would. */
const tell = (dir: string, action: ControlAction) => act({ dir }, action)

const hostOf = (url: string) => new URL(url).host

test('an address that is asked for comes first, once, and costs a fetch', async () => {
  const dir = newDir()
  await crawl(dir, 20)
  const { opened } = await look(dir)
  const { frontier } = opened.state
  const waiting = Array.from(frontier.unfetched(opened.now), (url) => frontier.urls.urlOf(url))
  const asked = waiting.at(-1)!
  await tell(dir, { kind: 'fetch', url: asked })
  expect((await crawl(dir, 5))[0]).toBe(asked)
  const later = await crawl(dir, 5)
  expect(later).toHaveLength(5)
  expect(later).not.toContain(asked)
})

test('a copy that is asked for is fetched again', async () => {
  const dir = newDir()
  const [first] = await crawl(dir, 10)
  await tell(dir, { kind: 'fetch', url: first })
  expect(await crawl(dir, 3, { at: 1 })).toContain(first)
})

test('a page that is forgotten is gone from answers at once, and stays away until it is asked for', async () => {
  const dir = newDir()
  await crawl(dir, 30)
  const before = await look(dir)
  const { frontier, indexer } = before.opened.state
  const url = frontier
    .refreshFacts(before.opened.now)
    .pages.find((page) => indexer!.index.has(page))!
  const address = frontier.urls.urlOf(url)
  const held = frontier.countByState().page
  await tell(dir, { kind: 'forget', url: address })
  const after = (await look(dir)).opened.state
  expect(after.indexer!.index.has(url)).toBe(false)
  expect(after.frontier.countByState().page).toBe(held - 1)
  expect((await (await look(dir)).explain(address)).heldBackBy).toContainEqual({
    kind: 'forgotten',
  })
  expect(await crawl(dir, 60)).not.toContain(address)
  expect(await indexedPagesPart.check({ dir, warcDir: join(dir, 'warc') })).toEqual([])
  await tell(dir, { kind: 'fetch', url: address })
  expect(await crawl(dir, 3, { at: 1 })).toContain(address)
  const { opened } = await look(dir)
  expect(opened.state.indexer!.index.has(url)).toBe(true)
  const folded = knowledge()
  for await (const entry of opened.store.entries()) apply(entry, folded)
  const statesOf = ({ frontier }: Knowledge) =>
    Array.from({ length: frontier.size }, (_, url) => [
      ...[frontier.urls.urlOf(url), frontier.stateOf(url), frontier.instructed.keepsOut(url)],
    ])
  expect(statesOf(opened.state)).toEqual(statesOf(folded))
})

test('a forgotten page does not come back with an index that is made anew', async () => {
  const dir = newDir()
  const [first] = await crawl(dir, 20)
  await tell(dir, { kind: 'forget', url: first })
  await rebuildIndex(dir, join(dir, 'warc'), { byTables: true })
  const { frontier, indexer } = (await look(dir)).opened.state
  expect(indexer!.index.has(frontier.urls.find(first)!)).toBe(false)
})

test('addresses of an excluded pattern are neither fetched nor taken in, until they are admitted again', async () => {
  const dir = newDir()
  await crawl(dir, 20)
  const { frontier } = (await look(dir)).opened.state
  const waiting = Array.from(frontier.unfetched(Infinity), (url) => frontier.urls.urlOf(url))
  const host = hostOf(waiting[0])
  const pattern = `${host}/*`
  await tell(dir, { kind: 'exclude', pattern })
  expect((await crawl(dir, 60)).map(hostOf)).not.toContain(host)
  const explained = await (await look(dir)).explain(waiting[0])
  expect(explained.heldBackBy).toContainEqual({ kind: 'scope', why: 'excluded' })
  await tell(dir, { kind: 'readmit', pattern })
  expect((await crawl(dir, 120)).map(hostOf)).toContain(host)
})

test('a crawl that runs hears of it before its next plan, and a later run remembers', async () => {
  const dir = newDir()
  let host: string | undefined
  let excludedFrom = Number.POSITIVE_INFINITY
  const fetched = await crawl(dir, 110, {
    onFetch: (url, { opened }) => {
      if (host !== undefined || opened.state.spent < 20) return
      host = hostOf(url)
      instructionInbox(dir).leave({ kind: 'exclude', pattern: `${host}/*` })
      excludedFrom = opened.state.cycle + 1
    },
  })
  expect(fetched.map(hostOf)).toContain(host)
  const { opened } = await look(dir)
  const late: string[] = []
  for await (const entry of opened.store.entries()) {
    if (entry.kind === 'plan' && entry.cycle > excludedFrom)
      late.push(...entry.urls.map((url) => hostOf(opened.state.frontier.urls.urlOf(url))))
  }
  expect(late).not.toContain(host)
  expect(opened.instructions).toMatchObject([{ kind: 'exclude', pattern: `${host}/*` }])
})

test('a host has no more pages than its settings let it have, an operator’s before those of the file', async () => {
  const dir = newDir()
  const [first] = await crawl(dir, 1)
  const host = hostOf(first)
  const sites = [{ match: host, maxPages: 3 }]
  const goOn = async (budget: number) => {
    await using crawl = await openCrawl({ dir, archive, at: 0, policy: 'bfs', sites })
    await crawl.run({ budget })
    return await fetchesOf(crawl, host)
  }
  expect(await goOn(60)).toBe(3)
  await tell(dir, { kind: 'site', host, maxPages: 6 })
  expect(await goOn(90)).toBe(6)
  const { cycle } = (await look(dir)).opened.state
  for (const at of [2, cycle]) {
    const { plan, entry } = await planAgain(dir, at)
    expect(plan.fetches.map(({ url }) => url)).toEqual([...entry.urls])
  }
  await tell(dir, { kind: 'site', host })
  expect(await goOn(120)).toBe(6)
})

test('copies of a host are fetched again after as long as an operator said', async () => {
  const dir = newDir()
  const before = await crawl(dir, 40)
  const host = hostOf(before[0])
  expect(await crawl(dir, 3, { at: 1 })).not.toContain(before[0])
  await tell(dir, { kind: 'site', host, refreshAfter: 86_400 })
  const again = (await crawl(dir, 6, { at: 1 })).filter((url) => before.includes(url))
  expect(again).toContain(before[0])
  expect(new Set(again.map(hostOf))).toEqual(new Set([host]))
})

async function fetchesOf({ opened }: Crawl, host: string): Promise<number> {
  return (await opened.store.reports.hosts.host(host))?.fetches ?? 0
}

test('what makes no sense is refused, and what was done is noted', async () => {
  const dir = newDir()
  await crawl(dir, 5)
  for (const action of [
    { kind: 'exclude', pattern: ' ' },
    { kind: 'exclude', pattern: '*' },
    { kind: 'fetch', url: 'javascript:alert(1)' },
    { kind: 'site', host: 'a b', delay: 1 },
    { kind: 'site', host: 'a.example', delay: -1 },
    { kind: 'site', host: 'a.example', delay: Number.NaN },
    { kind: 'site', host: 'a.example', concurrency: 0 },
    { kind: 'site', host: 'a.example', quietHours: ['at night'] },
    { kind: 'site', host: 'a.example', maxPages: 0 },
    { kind: 'site', host: 'a.example', refreshAfter: Number.NaN },
  ] as const)
    await expect(tell(dir, action), JSON.stringify(action)).rejects.toThrow()
  await tell(dir, { kind: 'site', host: 'a.example', delay: 7 })
  const [line] = readFileSync(join(dir, 'control-log.jsonl'), 'utf8').trim().split('\n')
  expect(JSON.parse(line)).toMatchObject({ kind: 'site', host: 'a.example', delay: 7 })
  await crawl(dir, 1)
  expect((await look(dir)).settings.sites).toMatchObject([{ match: 'a.example', delay: 7 }])
  await tell(dir, { kind: 'site', host: 'a.example', concurrency: 2, quietHours: ['22:00-06:00'] })
  await crawl(dir, 1)
  expect((await look(dir)).settings.sites).toEqual([
    { match: 'a.example', concurrency: 2, quietHours: ['22:00-06:00'] },
  ])
  await tell(dir, { kind: 'site', host: 'a.example' })
  await crawl(dir, 1)
  expect((await look(dir)).settings.sites).toBeUndefined()
})
