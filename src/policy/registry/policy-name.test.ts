import { expect, test } from 'vitest'
import { defineBidder } from '../define-bidder.ts'
import {
  checkedPolicy,
  isPolicyName,
  policyHint,
  policyNamed,
  policySummaries,
  renameNote,
} from './policy-name.ts'
import { REGISTRY } from './registry.ts'

/** Who bids under a policy, by name. */
const biddersOf = (name: string) => {
  const { bidders } = policyNamed(name)
  return [bidders.acquire?.name, bidders.refresh?.name, bidders.discover?.name]
}

test('every word of the list is a policy, and so are shares with or without names', () => {
  for (const name of Object.keys(policySummaries())) expect(checkedPolicy(name)).toBe(name)
  for (const name of ['split:70/20/10', 'split:97.5/2/0.5', 'split:50/50/0:bfs,uniform,none'])
    expect(checkedPolicy(name)).toBe(name)
})

test('a bidder for new pages crawls alone; a word for another task stands for half the budget', () => {
  expect(policyNamed('bfs')).toMatchObject({
    spends: 'alone',
    bidders: { acquire: { name: 'bfs' } },
  })
  expect(policyNamed('uniform')).toMatchObject({
    spends: 'shares',
    shares: { acquire: 0.5, refresh: 0.5, discover: 0 },
  })
  expect(biddersOf('uniform')).toEqual(['impact', 'uniform', undefined])
  expect(biddersOf('yield')).toEqual(['impact', undefined, 'yield'])
  expect(policyNamed('unified').shares).toBeUndefined()
  expect(biddersOf('unified')).toEqual(['impact', 'quality', 'yield'])
})

test('shares of a split need not sum to a hundred', () => {
  expect(policyNamed('split:2/1/1').shares).toEqual({ acquire: 0.5, refresh: 0.25, discover: 0.25 })
})

test('a split may say who bids, or that nobody does; else those of the one budget bid', () => {
  expect(biddersOf('split:70/20/10')).toEqual(['impact', 'quality', 'yield'])
  expect(biddersOf('split:50/50/0:bfs,uniform,none')).toEqual(['bfs', 'uniform', undefined])
})

test.each(['split:', 'split:70/30', 'split:1/2/x', 'split:0/0/0', 'split:-1/2/3'])(
  '%s is refused, with an example',
  (name) => {
    expect(() => policyNamed(name)).toThrow('as in split:70/20/10')
  },
)

test.each(['split:1/1/1:bfs', 'split:1/1/1:bfs,,none', 'split:1/1/1:a,b,c:d'])(
  '%s is refused for its names',
  (name) => {
    expect(() => policyNamed(name)).toThrow('as in split:50/50/0:bfs,uniform,none')
  },
)

test.each([
  ['unifed', /^policy must be one of unified, .* not "unifed"\. Did you mean unified\?/],
  ['split:70/20', /^policy "split:70\/20": shares are three numbers/],
  ['split:1/1/1:pagernk,none,none', /for new pages may bid .* not "pagernk"\. Did you mean page/],
  ['split:1/1/1:bfs,qualty,yield', /for copies may bid .*Did you mean quality\?/],
  ['split:1/1/1:bfs,none,impact', /for links may bid yield or none, not "impact"/],
])('%s is refused with what would be right', (name, complaint) => {
  expect(isPolicyName(name)).toBe(false)
  expect(() => checkedPolicy(name)).toThrow(complaint)
  expect(policyHint(name)).not.toBe('')
})

test('the flag that was mistaken is named', () => {
  expect(() => checkedPolicy('x', 'policies')).toThrow(/^policies must be/)
})

test("a user's own bidder may be named, alone or in shares, where its file was read", () => {
  const own = defineBidder({
    name: 'news-first',
    task: 'refresh',
    needs: ['pages'],
    bids: ({ pages }) => ({ urls: pages, gains: new Float64Array(pages.length) }),
  })
  const registry = REGISTRY.with([own])
  expect(isPolicyName('news-first')).toBe(false)
  for (const name of ['news-first', 'split:10/80/10:bfs,news-first,yield'])
    expect(policyNamed(name, registry).bidders.refresh).toBe(own)
  expect(() => policyNamed('split:1/1/1:news-first,none,none', registry)).toThrow('for new pages')
})

test('a name of old is understood, and the new one is told', () => {
  expect(biddersOf('clicks')).toEqual(['impact', 'views', undefined])
  expect(biddersOf('split:1/1/0:bfs,uc-clicks,none')).toEqual(['bfs', 'uc-views', undefined])
  expect(renameNote('split:1/1/0:bfs,clicks,none')).toMatch(/policy clicks is called views now/)
  expect(renameNote('views')).toBeUndefined()
})
