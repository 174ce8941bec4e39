import { expect, test } from 'vitest'
import { policyList } from './policy-name.ts'

test('commas part policies, but not those who bid in a split', () => {
  expect(policyList('bfs, split:70/20/10,split:50/50/0:bfs,uniform,none,unified,')).toEqual([
    'bfs',
    'split:70/20/10',
    'split:50/50/0:bfs,uniform,none',
    'unified',
  ])
  expect(policyList('')).toEqual([])
})
