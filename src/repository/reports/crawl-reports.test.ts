import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Frontier } from '#frontier/frontier.ts'
import { apply } from '#learn/apply.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { knowledge } from '#learn/knowledge.ts'
import { CrawlStore } from '../state/crawl-store.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'

let store: CrawlStore
let frontier: Frontier
beforeEach(async () => {
  const dir = temporaryFolder()
  store = await CrawlStore.open(dir)
  onTestFinished(() => {
    store.close()
  })
  ;({ frontier } = await store.load())
  for (const path of ['a', 'b', 'moved']) frontier.add(`https://x.org/${path}`, 'seed', 0, 1)
  frontier.add('https://y.org/', 'seed', 0, 1)
})

const attempt = (id: number, at: number) => ({
  ...{ id, url: frontier.urls.urlOf(id), at, ms: 1, bytes: 10 },
})

function pageOf(id: number, at: number, text: string, cut?: true): FetchOutcome {
  const words = Array.from({ length: 80 }, (_, i) => `${text}${i}`).join(' ')
  return {
    ...{ kind: 'page', ...attempt(id, at), status: 200, contentHash: `${text}`.padEnd(16, '0') },
    page: {
      form: 'page',
      title: `On ${text}`,
      text: words,
      links: [],
      noindex: false,
      nofollow: false,
      cut,
    },
    etag: `"${text}"`,
  }
}

type Planned = Partial<LoggedFetch> & Pick<LoggedFetch, 'outcome' | 'purpose'>

async function commit(cycle: number, planned: readonly Planned[], price?: number): Promise<void> {
  const known = knowledge({ frontier })
  for (const fetch of planned) apply({ kind: 'fetch', predictedGain: 0, ...fetch }, known)
  const { fetches } = apply({ kind: 'end', cycle, at: 100 * cycle }, known)
  const times = { startedAt: 100 * cycle, endedAt: 100 * cycle + 50 }
  await store.commit({ cycle, ...times, planned: planned.length, fetches, price }, frontier)
}

test('what was fetched of a URL, its copy and its host are told', async () => {
  const gain = { predictedGain: 0.5, realisedGain: 0.25 }
  await commit(1, [
    { outcome: pageOf(0, 110, 'a1'), purpose: 'acquire', ...gain },
    { outcome: pageOf(1, 111, 'a1'), purpose: 'acquire' },
  ])
  const failed = { kind: 'failed', ...attempt(0, 210), reason: 'timeout', sent: true } as const
  await commit(2, [{ outcome: failed, purpose: 'refresh' }])
  await commit(3, [{ outcome: pageOf(0, 310, 'a2', true), purpose: 'refresh', realisedGain: 0.75 }])
  const { urls } = store.reports
  expect(await urls.fetchesOf(0)).toEqual([
    {
      ...{ at: 110, purpose: 'acquire', outcome: 'page', status: 200, changed: true, newUrls: 0 },
      ...gain,
    },
    {
      ...{ at: 210, purpose: 'refresh', outcome: 'failed', reason: 'timeout', changed: false },
      ...{ newUrls: 0, predictedGain: 0 },
    },
    {
      ...{ at: 310, purpose: 'refresh', outcome: 'page', status: 200, changed: true, newUrls: 0 },
      ...{ predictedGain: 0, realisedGain: 0.75 },
    },
  ])
  expect(await urls.copyOf(0)).toMatchObject({
    ...{ title: 'On a2', fetchedAt: 310, versions: 2, etag: '"a2"', noindex: false },
    ...{ softError: false, isCut: true, duplicates: [1] },
  })
  expect(await urls.copyOf(1)).toMatchObject({ duplicateOf: 0, duplicates: [] })
  expect(await urls.copyOf(3)).toBeUndefined()
  expect(await urls.titlesOf([0, 0, 3])).toEqual(new Map([[0, 'On a2']]))
  expect(await urls.titlesOf([])).toEqual(new Map())
  expect(await urls.fetchesOfHost(0)).toEqual({ fetches: 4, pages: 3, meanRealisedGain: 0.5 })
  expect(await urls.fetchesOfHost(1)).toEqual({ fetches: 0, pages: 0 })
  expect(await store.reports.summary.busiestHosts(1)).toEqual([
    { host: 'x.org', known: 3, fetched: 2 },
  ])
  expect(await store.reports.summary.uselessContents()).toEqual({ duplicates: 1, softErrors: 0 })
  expect(await store.reports.summary.hasSearches()).toBe(false)
})

test('redirects are told with where they last led', async () => {
  for (const [cycle, target] of [
    [1, 'https://z.org/1'],
    [2, 'https://z.org/2'],
  ] as const) {
    const moved = { kind: 'redirect', ...attempt(2, 100 * cycle), status: 301, target } as const
    await commit(cycle, [{ outcome: moved, purpose: 'acquire' }])
  }
  expect(await store.reports.urls.redirects()).toEqual([
    { id: 2, url: 'https://x.org/moved', source: 'seed', target: 'https://z.org/2' },
  ])
})

test('hosts that turned us away are told by what they said last', async () => {
  const denied = (id: number, at: number, reason?: string) =>
    ({
      kind: 'denied',
      ...attempt(id, at),
      status: 403,
      bytes: 0,
      ...(reason && { reason }),
    }) as const
  await commit(1, [
    { outcome: denied(0, 110), purpose: 'acquire' },
    { outcome: denied(1, 120), purpose: 'acquire' },
  ])
  expect(await store.reports.summary.refusingHosts(3)).toEqual([
    { host: 'x.org', urls: 2, status: 403 },
  ])
  await commit(2, [
    { outcome: pageOf(0, 210, 'a1'), purpose: 'refresh' },
    { outcome: denied(1, 220, 'challenge'), purpose: 'refresh' },
  ])
  expect(await store.reports.summary.refusingHosts(3)).toEqual([
    { host: 'x.org', urls: 1, status: 403, reason: 'challenge' },
  ])
})

test('spending, prices, gains and predictions are told by cycle and task', async () => {
  const { budget } = store.reports
  expect(await budget.totalGain()).toBeUndefined()
  expect(await store.lastPrice()).toBeUndefined()
  const first = { purpose: 'acquire', prediction: { acquire: 1 }, predictedGain: 0.5 } as const
  await commit(1, [{ ...first, outcome: pageOf(0, 110, 'a1'), realisedGain: 0.25 }], 7)
  await commit(2, [
    { outcome: pageOf(0, 210, 'a2'), purpose: 'discover', prediction: { links: 3 } },
    { outcome: pageOf(1, 220, 'b'), purpose: 'refresh', probability: 0.5, realisedGain: 0.5 },
  ])
  expect(await budget.fetchesByTask()).toEqual({ acquire: 1, refresh: 1, discover: 1 })
  expect(await budget.fetchesByTask(1)).toEqual({ acquire: 0, refresh: 1, discover: 1 })
  expect(await budget.prices()).toEqual([{ cycle: 1, at: 100, price: 7 }])
  expect(await store.lastPrice()).toBe(7)
  expect(await budget.gains()).toEqual([
    { cycle: 1, at: 110, gain: 0.25 },
    { cycle: 2, at: 220, gain: 0.5 },
  ])
  expect(await budget.totalGain()).toBe(0.75)
  expect(await budget.predictions('acquire', 9)).toEqual([{ predicted: 0.5, realised: 0.25 }])
  expect(await budget.predictions('discover', 9)).toEqual([{ predicted: 3, realised: 0 }])
  expect(await budget.predictions('refresh', 9)).toEqual([])
  expect(await budget.sampledFetches()).toEqual({ fetches: 1, meanGain: 0.5 })
})
