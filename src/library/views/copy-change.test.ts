import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crawlInto } from '#repository/crawled-directory.test-kit.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { diffLines } from './copy-change.ts'
import { pageView } from './page-view.ts'
import { watchCrawl } from './watched-crawl.ts'

test('a difference names what was put in and taken out, and keeps the rest', () => {
  expect(diffLines(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'd', 'e'])).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'x' },
    { kind: 'same', text: 'c' },
    { kind: 'same', text: 'd' },
    { kind: 'added', text: 'e' },
  ])
})

test('both texts can be read from their difference, whatever they are', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after)
      const without = (kind: string) => lines.filter((line) => line.kind !== kind)
      expect(without('added').map((line) => line.text)).toEqual(before)
      expect(without('removed').map((line) => line.text)).toEqual(after)
      expect(lines.filter(({ kind }) => kind === 'same').length).toBe(longest(before, after))
    }),
  )
})

/** The length of the longest common subsequence, by its definition. */
function longest(a: readonly string[], b: readonly string[]): number {
  const known = new Map<string, number>()
  const of = (i: number, j: number): number => {
    if (i === a.length || j === b.length) return 0
    const key = `${i} ${j}`
    if (!known.has(key))
      known.set(key, a[i] === b[j] ? 1 + of(i + 1, j + 1) : Math.max(of(i + 1, j), of(i, j + 1)))
    return known.get(key)!
  }
  return of(0, 0)
}

test('a page that changed shows how, by the answers that were kept', async () => {
  const dir = temporaryFolder()
  await crawlInto(dir, { pages: 12, weeks: 2 })
  const store = await CrawlStore.open(dir)
  await store.saveSetting('seeds', JSON.stringify(['https://h0.example/']))
  store.close()
  await using watched = watchCrawl({ dir })
  const seen = await watched.see()
  if (seen.kind !== 'crawl') throw new Error(seen.kind)
  // Pages whose numbers three divides change from week to week.
  const { change, fetches, known } = await pageView(seen.look, 'https://h3.example/topic-3/page-3')
  expect(known).toBe(true)
  expect(fetches.length).toBeGreaterThan(1)
  const said = (kind: string) =>
    change!.lines.filter((line) => line.kind === kind).map(({ text }) => text.split(' ').at(-1))
  expect(change!.after - change!.before).toBe(7 * 86_400)
  expect(said('removed').join()).toContain('version0')
  expect(said('added').join()).toContain('version1')
  const same = await pageView(seen.look, 'https://h1.example/topic-1/page-1')
  expect(same.change).toBeUndefined()
})
