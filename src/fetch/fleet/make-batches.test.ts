import { expect, test } from 'vitest'
import { makeBatches, neighboursTogether } from './make-batches.ts'

const pages = (domain: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({
    id: from + i,
    url: `http://${domain}/${i}`,
    priority: 1000 - from - i,
  }))
const usual = { sends: 1000, room: 10_000, paceOf: () => 2, leftOf: () => 0 }
const sizes = (...args: Parameters<typeof makeBatches>) =>
  makeBatches(...args).map(({ domain, requests }) => [domain, requests.length])

test('a batch has what its domain takes in two minutes', () => {
  const board = [...pages('a.test', 100), ...pages('b.test', 10, 100)]
  expect(sizes(board, usual)).toEqual([
    ['a.test', 60],
    ['b.test', 10],
  ])
  expect(sizes(board, { ...usual, paceOf: () => 0 })[0]).toEqual(['a.test', 64])
  expect(sizes(board, { ...usual, paceOf: () => 600 })[0]).toEqual(['a.test', 1])
})

test('where little is left, all domains get some, and no more than may be sent', () => {
  const board = [...pages('a.test', 100), ...pages('b.test', 100, 100)]
  expect(sizes(board, { ...usual, sends: 10 })).toEqual([['a.test', 10]])
  expect(sizes(board, { ...usual, room: 24 })).toEqual([
    ['a.test', 12],
    ['b.test', 12],
  ])
})

test('a batch that takes longer than half a minute has half of what is left to its domain', () => {
  const board = [...pages('a.test', 100), ...pages('b.test', 100, 100)]
  const first = (room: number) => sizes(board, { ...usual, room })[0]
  expect(first(160)).toEqual(['a.test', 40])
  expect(first(40)).toEqual(['a.test', 15])
  expect(first(20)).toEqual(['a.test', 10])
})

test('a domain that somebody has comes last, and not at all if that takes long', () => {
  const board = [...pages('a.test', 5), ...pages('b.test', 5, 5), ...pages('c.test', 5, 10)]
  const left = new Map([
    ['a.test', 19],
    ['b.test', 21],
  ])
  expect(sizes(board, { ...usual, leftOf: (domain) => left.get(domain) ?? 0 })).toEqual([
    ['c.test', 5],
    ['a.test', 5],
  ])
})

test('neighbours follow the first of them', () => {
  const at: Record<string, string> = { a: '1', b: '2', c: '', d: '1', e: '' }
  expect(neighboursTogether(['a', 'b', 'c', 'd', 'e'], (each) => at[each])).toEqual([
    ...['a', 'd', 'b', 'c', 'e'],
  ])
})
