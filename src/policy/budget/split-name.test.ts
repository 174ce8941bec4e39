import { expect, test } from 'vitest'
import { parseSplit } from './split-name.ts'

test('shares of a split need not sum to a hundred', () => {
  expect(parseSplit('split:2/1/1').shares).toEqual({ acquire: 0.5, refresh: 0.25, discover: 0.25 })
})

test('without names, the bidders of the one budget bid', () => {
  expect(parseSplit('split:70/20/10')).toMatchObject({
    acquirer: 'impact',
    refresher: 'quality',
    discoverer: 'yield',
  })
})

test('a split may say who bids, or that nobody does', () => {
  expect(parseSplit('split:50/50/0:bfs,uniform,none')).toEqual({
    shares: { acquire: 0.5, refresh: 0.5, discover: 0 },
    acquirer: 'bfs',
    refresher: 'uniform',
    discoverer: undefined,
  })
})

test.each(['split:', 'split:70/30', 'split:1/2/x', 'split:0/0/0', 'split:-1/2/3'])(
  '%s is refused, with an example',
  (name) => {
    expect(() => parseSplit(name)).toThrow('as in split:70/20/10')
  },
)

test.each(['split:1/1/1:bfs', 'split:1/1/1:bfs,,none', 'split:1/1/1:a,b,c:d'])(
  '%s is refused for its names',
  (name) => {
    expect(() => parseSplit(name)).toThrow('as in split:50/50/0:bfs,uniform,none')
  },
)
