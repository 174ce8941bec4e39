import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { discoverySite } from './discovery-site.ts'
import { fitSignWeights, type SignEvidence, signEvidence } from './sign-weights.ts'

const at = (name: string) => `http://a.example/${name}`
const to = (...names: string[]) => names.map((name): [string, string] => [at(name), name])

test('evidence is the share of each sign that pages have which lead to something new', () => {
  const site = discoverySite(
    archiveOf(
      smallArchive(2, {
        [at('')]: [{ live: [0, 1], links: to('news', 'about') }],
        [at('news')]: [
          { live: [0, 0], links: to('') },
          { live: [1, 1], links: to('', 'story', 'other') },
        ],
        [at('about')]: [{ live: [0, 1] }],
        [at('story')]: [{ live: [1, 1] }],
        [at('other')]: [{ live: [1, 1] }],
      }),
    ),
  )
  const [only, ...more] = signEvidence({ ...site, seeds: [0] })
  expect(more).toEqual([])
  expect(only.weight).toBe(1)
  // One of three pages; 2 of 6 counts of links, one more for each page; no child, nothing below, no series.
  expect(only.shares.map((share) => Number(share.toFixed(6)))).toEqual([
    0.333333, 0.333333, 0, 0, 0,
  ])
})

test('the fit is as likely as the best of a grid, with one more site for which every sign does as well', () => {
  const evidence: SignEvidence[] = [
    { weight: 0.5, shares: [0.1, 0.6, 0.2, 0, 0] },
    { weight: 0.3, shares: [0.1, 0, 0.7, 0, 0] },
    { weight: 0.2, shares: [0.1, 0.05, 0, 0, 0.9] },
  ]
  const seen = (weights: readonly number[]) =>
    evidence.reduce(
      (sum, { weight, shares }) =>
        sum + weight * Math.log(shares.reduce((all, share, i) => all + share * weights[i], 0)),
      0,
    )
  const unseen = (weights: readonly number[]) =>
    weights.reduce((sum, weight) => sum + Math.log(weight) / weights.length, 0)
  const { any, inLinks, children, below, isLast } = fitSignWeights([evidence])
  const steps = Array.from({ length: 20 }, (_, i) => (i + 1) / 20)
  let best = Number.NEGATIVE_INFINITY
  for (const a of steps)
    for (const b of steps)
      for (const c of steps)
        for (const d of steps) {
          const weights = [a, b, c, d, 1 - a - b - c - d]
          if (weights[4] > 0) best = Math.max(best, seen(weights) + unseen(weights))
        }
  const fitted = [any, inLinks, children, below, isLast]
  expect(seen(fitted) + unseen(fitted)).toBeGreaterThanOrEqual(best - 1e-6)
  expect(fitted.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 9)
  // A sign that no site showed anything by is believed a little all the same.
  expect(below).toBeCloseTo(0.1, 9)
})
