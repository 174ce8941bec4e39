import { expect, test } from 'vitest'
import {
  biddersOf,
  CRAWL_POLICIES,
  checkedPolicy,
  isBudgetPolicy,
  isPolicyName,
  policyHint,
  thinksInQuality,
  whyNoCopies,
} from './policy-names.ts'

test('every word of the list is a policy, and so are shares with or without names', () => {
  for (const name of Object.keys(CRAWL_POLICIES)) expect(checkedPolicy(name)).toBe(name)
  for (const name of ['split:70/20/10', 'split:97.5/2/0.5', 'split:50/50/0:bfs,uniform,none'])
    expect(checkedPolicy(name)).toBe(name)
})

test('a word for one task stands for half the budget', () => {
  expect(biddersOf('uniform')).toMatchObject({
    acquirer: 'impact',
    refresher: 'uniform',
    discoverer: undefined,
    shares: { acquire: 0.5, refresh: 0.5, discover: 0 },
  })
  expect(biddersOf('yield')).toMatchObject({ refresher: undefined, discoverer: 'yield' })
  expect(biddersOf('unified').shares).toBeUndefined()
})

test.each([
  ['unifed', /--policy must be one of unified, .* not "unifed"\. Did you mean unified\?/],
  ['split:70/20', /^--policy "split:70\/20": shares are three numbers/],
  ['split:1/1/1:pagernk,none,none', /for new pages may bid .* not "pagernk"\. Did you mean page/],
  ['split:1/1/1:bfs,qualty,yield', /for copies may bid .*Did you mean quality\?/],
  ['split:1/1/1:bfs,none,impact', /for links may bid yield or none, not "impact"/],
])('%s is refused with what would be right', (name, complaint) => {
  expect(isPolicyName(name)).toBe(false)
  expect(() => checkedPolicy(name)).toThrow(complaint)
  expect(policyHint(name)).not.toBe('')
})

test('the flag that was mistaken is named', () => {
  expect(() => checkedPolicy('x', '--policies')).toThrow(/^--policies must be/)
})

test('new pages by links, or copies by age, say nothing of quality', () => {
  const inQuality = ['unified', 'impact', 'quality', 'yield', 'split:70/20/10']
  const inOther = ['bfs', 'pagerank', 'hybrid', 'uniform', 'split:50/50/0:bfs,uniform,none']
  for (const name of inQuality) expect(thinksInQuality(name), name).toBe(true)
  for (const name of inOther) expect(thinksInQuality(name), name).toBe(false)
  expect(isBudgetPolicy('impact')).toBe(false)
})

test('without queries, nobody fetches copies by what searchers see, but who makes some up', () => {
  const plain = 'split:50/50/0:bfs,quality,none'
  expect(whyNoCopies(plain, false)).toMatch(/no queries are known, and quality .* queries import/)
  expect(whyNoCopies(plain, true)).toBeUndefined()
  for (const policy of ['unified', 'quality', 'pagerank', 'split:50/50/0:bfs,uniform,none'])
    expect(whyNoCopies(policy, false)).toBeUndefined()
})
