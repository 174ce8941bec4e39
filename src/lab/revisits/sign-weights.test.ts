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

test('the fit is as likely as the best of a grid of weights', () => {
  const evidence: SignEvidence[] = [
    { weight: 0.5, shares: [0.1, 0.6, 0.2, 0, 0] },
    { weight: 0.3, shares: [0.1, 0, 0.7, 0, 0] },
    { weight: 0.2, shares: [0.1, 0.05, 0, 0, 0.9] },
  ]
  const likelihood = (weights: readonly number[]) =>
    evidence.reduce(
      (sum, { weight, shares }) =>
        sum + weight * Math.log(shares.reduce((all, share, i) => all + share * weights[i], 0)),
      0,
    )
  const { any, inLinks, children, below, isLast } = fitSignWeights([evidence])
  const steps = Array.from({ length: 21 }, (_, i) => i / 20)
  let best = Number.NEGATIVE_INFINITY
  for (const a of steps)
    for (const b of steps)
      for (const c of steps)
        if (a + b + c <= 1) best = Math.max(best, likelihood([a, b, c, 0, 1 - a - b - c]) || best)
  const fitted = likelihood([any, inLinks, children, below, isLast])
  expect(fitted).toBeGreaterThanOrEqual(best - 1e-6)
  expect(any + inLinks + children + below + isLast).toBeCloseTo(1, 9)
})
