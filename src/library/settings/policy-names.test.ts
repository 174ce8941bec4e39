import { expect, test } from 'vitest'
import { thinksInQuality, whyNoCopies } from './policy-names.ts'

test('new pages by links, or copies by age, say nothing of quality', () => {
  const inQuality = ['unified', 'impact', 'quality', 'yield', 'split:70/20/10']
  const inOther = ['bfs', 'pagerank', 'hybrid', 'uniform', 'split:50/50/0:bfs,uniform,none']
  for (const name of inQuality) expect(thinksInQuality(name), name).toBe(true)
  for (const name of inOther) expect(thinksInQuality(name), name).toBe(false)
})

test('without queries, nobody fetches copies by what searchers see, but who makes some up', () => {
  const plain = 'split:50/50/0:bfs,quality,none'
  expect(whyNoCopies(plain, false)).toMatch(/no queries are known, and quality .* queries import/)
  expect(whyNoCopies(plain, true)).toBeUndefined()
  for (const policy of ['unified', 'quality', 'pagerank', 'split:50/50/0:bfs,uniform,none'])
    expect(whyNoCopies(policy, false)).toBeUndefined()
})
