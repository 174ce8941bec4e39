import { expect, test } from 'vitest'
import { linkShare, takeFlow } from '#importance/block-pagerank.ts'
import { apply } from '#learn/apply.ts'
import type { FetchEntry } from '#learn/entries/fetch-entry.ts'
import type { PageOutcome } from '#learn/entries/outcome.ts'
import { knowledge } from '#learn/knowledge.ts'
import { bucketOf } from './bucket-of.ts'
import { ownBucket, toldLinks } from './exchange.ts'

/** A domain of each of two buckets. */
const [HERE, THERE] = [0, 1].map((bucket) => {
  const domain = Array.from({ length: 50 }, (_, i) => `d${i}.org`).find(
    (one) => bucketOf(one, 2) === bucket,
  )
  return `http://${domain}/`
})
const SHARES = { now: linkShare(3, 2), before: linkShare(3, 1) }

/** What bucket 0 tells of a page that was fetched again, and that linked into bucket 1 when that was planned. */
function told(outcome: (Partial<PageOutcome> & { kind: 'page' }) | { kind: 'gone'; status: 410 }) {
  const known = knowledge({ scope: () => undefined })
  const id = known.frontier.add(HERE, 'link', 0, 1)
  const attempt = { id, url: HERE, at: 9, ms: 1, bytes: 1 }
  const entry = { purpose: 'refresh', predictedGain: 0, outcome: { ...attempt, ...outcome } }
  apply({ kind: 'fetch', ...entry } as FetchEntry & { kind: 'fetch' }, known)
  const { fetches } = apply({ kind: 'end', cycle: 1, at: 9 }, known)
  const shares = { now: () => SHARES.now, before: () => SHARES.before }
  const own = ownBucket(known.frontier, 0, 2)
  return toldLinks(fetches, [], known.frontier, own, shares, () => [1])
}

const pageWith = (links: readonly string[]) => ({
  kind: 'page' as const,
  ...{ status: 200, contentHash: 'a'.repeat(16) },
  page: {
    ...{ form: 'page' as const, title: '', text: '', noindex: false, nofollow: false },
    links: links.map((url) => ({ url, anchor: '', rel: 0 })),
  },
})

test('whoever a page linked to before is told of its links, and if there are none any more', () => {
  const [link] = told(pageWith([`${THERE}x`]))
  expect(link).toMatchObject({ dest: 1, page: HERE, url: `${THERE}x`, fetched_at: 9 })
  const none = { dest: 1, page: HERE, url: null, share_before: SHARES.before }
  expect(told(pageWith([`${HERE}y`]))).toMatchObject([none])
  expect(told({ kind: 'gone', status: 410 })).toMatchObject([none])
})

test('when links are told anew, ranks flow along these alone', () => {
  const known = knowledge({ scope: () => undefined })
  const { frontier } = known
  const inflow = new Float64Array(10)
  const hear = (at: number, share: number, shareBefore: number, paths: readonly string[]) => {
    const links = paths.map((path) => ({
      ...{ url: `${THERE}${path}`, source: 'link' as const, depth: 1, anchor: '', rel: 0 },
    }))
    const pages = [{ url: HERE, depth: 0, at, share, shareBefore, links }]
    const heard = apply({ kind: 'linked', at, pages, found: [] }, known)
    takeFlow(inflow, heard, frontier.links.toCsr(frontier.size))
  }
  hear(1, linkShare(3, 2), 0, ['x', 'y', 'x'])
  const of = (path: string) => inflow[frontier.urls.find(`${THERE}${path}`)!]
  expect([of('x'), of('y')]).toEqual([linkShare(3, 2), linkShare(3, 2)])
  hear(2, linkShare(5, 1), linkShare(3, 2), ['y'])
  expect([of('x'), of('y')]).toEqual([0, linkShare(5, 1)])
  hear(2, linkShare(5, 1), linkShare(3, 2), ['x']) // told twice: the first counts
  expect([of('x'), of('y')]).toEqual([0, linkShare(5, 1)])
  hear(3, 0, linkShare(5, 1), [])
  expect([...inflow].every((mass) => mass === 0)).toBe(true)
})
