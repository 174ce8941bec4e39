import fc from 'fast-check'
import { expect, test } from 'vitest'
import { presenceCodes, presenceOf } from './presence-codes.ts'

test('the codes of three iterations mean what the paper says', () => {
  const meanings = ['111', '011', '001', '100', '110', '010', '101'].map(presenceOf)
  expect(meanings).toEqual(['stable', 'new', 'new', 'lost', 'lost', 'churn', 'churn'])
})

test('each URL counts under the iterations that held it', () => {
  const corpora = [Uint32Array.of(1, 2, 3, 9), Uint32Array.of(2, 3, 5), Uint32Array.of(3, 5, 9)]
  expect(presenceCodes(corpora)).toEqual({
    codes: { '111': 1, '110': 1, '101': 1, '100': 1, '011': 1, '010': 0, '001': 0 },
    groups: { stable: 1, new: 1, lost: 2, churn: 1 },
  })
})

test('a single corpus is stable, none has no codes, sixteen are all right, and seventeen are too many', () => {
  expect(presenceCodes([Uint32Array.of(4, 7)]).codes).toEqual({ '1': 2 })
  expect(presenceCodes([]).codes).toEqual({})
  const same = (corpora: number) => Array.from({ length: corpora }, () => Uint32Array.of(1))
  expect(presenceCodes(same(16)).groups.stable).toBe(1)
  expect(() => presenceCodes(same(17))).toThrow('17 bits')
})

/** By looking each URL up in each corpus, and by counting how often it comes and goes. */
function naiveCodes(corpora: readonly number[][], counts: (url: number) => boolean) {
  const groups = { stable: 0, new: 0, lost: 0, churn: 0 }
  const codes: Record<string, number> = {}
  for (const url of new Set(corpora.flat().filter((url) => counts(url)))) {
    const held = corpora.map((corpus) => corpus.includes(url))
    const code = held.map(Number).join('')
    codes[code] = (codes[code] ?? 0) + 1
    const moves = held.filter((now, i) => i > 0 && now !== held[i - 1]).length
    if (moves === 0) groups.stable++
    else if (moves > 1) groups.churn++
    else groups[held[0] ? 'lost' : 'new']++
  }
  return { codes, groups }
}

test('a naive twin agrees, for any number of iterations and any part of the URLs', () => {
  const corpora = fc.array(fc.uniqueArray(fc.nat(30)), { maxLength: 6 })
  fc.assert(
    fc.property(corpora, fc.func(fc.boolean()), (corpora, counts) => {
      const { codes, groups } = presenceCodes(
        corpora.map((corpus) => Uint32Array.from(corpus)),
        (url) => counts(url),
      )
      const seen = Object.fromEntries(Object.entries(codes).filter(([, count]) => count > 0))
      expect({ codes: seen, groups }).toEqual(naiveCodes(corpora, counts))
    }),
  )
})
