import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { crawlInto } from '#repository/crawled-directory.test-kit.ts'
import { exportBeside } from '#repository/export/export-tables.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { exportCrawl } from '../export/export-crawl.ts'
import type { PageRow } from './page-row.ts'
import { PushFollower } from './push-follower.ts'
import { pushFrom, pushPages } from './push-pages.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

/** Takes pages; fails when it has taken so many lots. */
function taker({ failsAfter = Number.POSITIVE_INFINITY, wantsTexts = false } = {}) {
  const taken: PageRow[] = []
  let lots = 0
  const deliver = async (pages: readonly PageRow[]) => {
    if (lots >= failsAfter) throw new Error('gone away')
    lots++
    taken.push(...pages)
  }
  return { taken, target: { name: 'taker', wantsTexts, deliver } }
}

test('a target gets what is new, then what changed or is gone, and nothing twice', async () => {
  await crawlInto(dir, { pages: 40, weeks: 3, warc: false })
  const { taken, target } = taker({ wantsTexts: true })
  const first = await pushPages({ dir, target })
  expect(first).toMatchObject({ to: 'taker', pages: taken.length })
  expect(taken.length).toBeGreaterThan(20)
  expect(taken[0]).toMatchObject({ event: 'new', state: 'page' })
  expect(taken[0].text).toContain('word')
  expect(await pushPages({ dir, target })).toMatchObject({ pages: 0 })
  const before = taken.splice(0)
  await crawlInto(dir, { pages: 40, weeks: 1, from: 3, warc: false })
  await pushPages({ dir, target })
  expect(taken.map(({ event }) => event)).toEqual(expect.arrayContaining(['changed']))
  expect(taken.every(({ position }) => position > first.position)).toBe(true)
  const all = new Set([...before, ...taken].map(({ url }) => url)).size
  expect(await pushPages({ dir, target, again: true })).toMatchObject({ pages: all })
})

test('a push that breaks off goes on where the target has everything', async () => {
  await crawlInto(dir, { pages: 30, weeks: 2, warc: false })
  const whole = join(dir, 'whole')
  const { rows } = await exportCrawl({ dir, what: 'pages', out: whole })
  const store = await CrawlStore.open(dir)
  const small = (target: ReturnType<typeof taker>['target']) =>
    pushFrom(dir, { target }, (wanted) => exportBeside(store, dir, { ...wanted, partBytes: 2_000 }))
  const first = taker({ failsAfter: 3 })
  await expect(small(first.target)).rejects.toThrow('gone away')
  const second = taker()
  await small(second.target)
  store.close()
  const positions = [...first.taken, ...second.taken].map(({ position }) => position)
  expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b))
  expect(positions.length).toBe(rows)
  expect(first.taken.length).toBeGreaterThan(0)
})

test('a follower of a crawl hands over what is committed while it goes on, and what a failure left', async () => {
  await crawlInto(dir, { pages: 30, weeks: 3, warc: false })
  const notes: string[] = []
  const { taken, target } = taker()
  let isDown = true
  const shaky = {
    ...target,
    deliver: async (pages: readonly PageRow[]) => {
      if (isDown) throw new Error('down')
      await target.deliver(pages)
    },
  }
  const store = await CrawlStore.open(dir)
  const follower = new PushFollower({
    ...{ dir, store, target: shaky },
    note: ({ kind }) => {
      notes.push(kind)
      isDown = false
      follower.wake()
    },
  })
  await follower[Symbol.asyncDispose]()
  store.close()
  expect(notes).toEqual(['push failed'])
  expect(taken.length).toBeGreaterThan(20)
  expect(await pushPages({ dir, target })).toMatchObject({ pages: 0 })
})

test('a crawl that is told to stop does not wait for a target that never answers', async () => {
  await crawlInto(dir, { pages: 30, weeks: 1, warc: false })
  const store = await CrawlStore.open(dir)
  const asked = Promise.withResolvers<void>()
  const target = {
    ...{ name: 'silent', wantsTexts: false },
    deliver: (_: readonly PageRow[], signal?: AbortSignal) => {
      asked.resolve()
      return new Promise<void>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    },
  }
  const stop = new AbortController()
  const follower = new PushFollower({ dir, store, target, note: () => {}, stopped: stop.signal })
  await asked.promise
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ended = follower[Symbol.asyncDispose]()
  stop.abort()
  vi.advanceTimersByTime(2_000)
  vi.useRealTimers()
  await ended
  store.close()
})

test('a cursor that is damaged is named', async () => {
  await crawlInto(dir, { pages: 3, weeks: 3, warc: false })
  const { target } = taker()
  await pushPages({ dir, target })
  const [name] = readdirSync(join(dir, 'push'))
  writeFileSync(join(dir, 'push', name), '{')
  await expect(pushPages({ dir, target })).rejects.toThrow(/is damaged: delete it/)
})
