import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LinkRow } from '../links/link-store.ts'
import { AnchorPairs, PAIR_ANCHOR, PAIR_LINKS, PAIR_SIZE } from './pairs.ts'

type PlainLink = readonly [target: number, anchor: number]

const rowOf = (links: readonly PlainLink[]): LinkRow => ({
  targets: Uint32Array.from(links, ([target]) => target),
  anchors: Uint32Array.from(links, ([, anchor]) => anchor),
  rels: new Uint8Array(links.length),
})

/** Every living pair as it is found from its URL. */
function told(pairs: AnchorPairs): string[] {
  const records = pairs.records()
  return Array.from({ length: pairs.byUrl.rowCount }, (_, url) => [...pairs.byUrl.rowOf(url)])
    .flat()
    .filter((pair) => records[pair * PAIR_SIZE + PAIR_LINKS] > 0)
    .map((pair) => {
      const [url, anchor, links, sources] = records.subarray(pair * PAIR_SIZE)
      return [url, anchor, links, sources].join()
    })
    .toSorted()
}

const DEAF = { begin: () => {}, turn: () => {}, restart: () => {}, isBlank: () => false }

test('sweeping dead pairs changes nothing that is said', () => {
  const link = fc.tuple(fc.nat(4), fc.nat(3))
  const steps = fc.array(fc.tuple(fc.nat(4), fc.array(link, { maxLength: 6 })), { maxLength: 20 })
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const turns = new Map<number, number>() // living pairs by anchor, as heard
      const begun = new Map<number, number>() // anchors of pairs, as heard
      const swept = new AnchorPairs({
        begin: (pair, anchor) => begun.set(pair, anchor),
        turn: (anchor, change) => turns.set(anchor, (turns.get(anchor) ?? 0) + change),
        restart: () => begun.clear(),
        isBlank: () => false,
      })
      const unswept = new AnchorPairs(DEAF)
      const rows = new Map<number, LinkRow>()
      const replay = (crawl: typeof before) => {
        for (const [source, links] of crawl) {
          const oldRow = rows.get(source) ?? rowOf([])
          rows.set(source, rowOf(links))
          for (const pairs of [swept, unswept]) pairs.replace(source, oldRow, rowOf(links))
        }
      }
      replay(before)
      swept.sweep()
      expect(swept.records().length).toBe(swept.size * PAIR_SIZE)
      replay(after)
      expect(told(swept)).toEqual(told(unswept))
      expect([...turns.values()].reduce((sum, count) => sum + count, 0)).toBe(swept.size)
      const anchors = [...swept.records()].filter((_, i) => i % PAIR_SIZE === PAIR_ANCHOR)
      expect([...begun]).toEqual([...anchors.entries()])
      for (let url = 0; url < 5; url++) expect(swept.linksTo(url)).toBe(unswept.linksTo(url))
    }),
  )
})

test('a crawl that rewrites its links over and over keeps only what is said now', () => {
  const pairs = new AnchorPairs(DEAF)
  let oldRow = rowOf([])
  for (let round = 0; round < 30; round++) {
    const links = Array.from({ length: 10_000 }, (_, i): PlainLink => [i + 1, round])
    pairs.replace(0, oldRow, rowOf(links))
    oldRow = rowOf(links)
  }
  expect(pairs.size).toBe(10_000)
  expect(pairs.records().length).toBeLessThan(150_000 * PAIR_SIZE)
})
