import { expect, test } from 'vitest'
import { policyMeans } from './policy-means.ts'

test('means are over archives, leads over archives that both policies have a number for', () => {
  const run = (archive: string, policy: string, quality: number | null) => ({
    archive,
    policy,
    quality,
  })
  const runs = [run('a', 'bfs', 0.2), run('b', 'bfs', 0.4), run('a', 'impact', 0.5)]
  const { means, leads } = policyMeans([...runs, run('b', 'impact', null)], ['quality'], 1)
  const [bfs, impact] = means
  expect(bfs).toMatchObject({ policy: 'bfs', quality: { low: 0.2, high: 0.4 } })
  expect(bfs.quality?.estimate).toBeCloseTo(0.3, 12)
  expect(impact).toEqual({ policy: 'impact', quality: { estimate: 0.5 } })
  expect(leads).toEqual([{ than: 'bfs', quality: { estimate: 0.3 } }])
})
