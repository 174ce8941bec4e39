import { expect, test } from 'vitest'
import { policyMeans } from './policy-means.ts'

test('means are over archives, leads over archives that both policies have a number for', () => {
  const run = (archive: string, policy: string, quality: number | null) => ({
    archive,
    policy,
    quality,
  })
  const runs = [run('a', 'bfs', 0.2), run('b', 'bfs', 0.4), run('a', 'impact', 0.5)]
  const [bfs, impact] = policyMeans([...runs, run('b', 'impact', null)], ['quality'], 1)
  expect(bfs.means.quality?.estimate).toBeCloseTo(0.3, 12)
  expect(bfs.leads.quality?.estimate).toBeCloseTo(0.3, 12)
  expect(bfs.means.quality?.low).toBe(0.2)
  expect(impact).toEqual({
    policy: 'impact',
    means: { quality: { estimate: 0.5 } },
    leads: { quality: { estimate: 0 } },
  })
})
