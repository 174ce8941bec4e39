import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { asPublic, inventDomainNames, isPrivate } from '../skeleton/names.ts'
import { zipfTable } from '../skeleton/vocabulary.ts'

test('a table of Zipf shares gives the first words the most room and the last ones some', () => {
  const table = zipfTable(Uint32Array.from([7, 8, 9, 10]), 1, 1000)
  const share = (word: number) => table.filter((entry) => entry === word).length
  expect(share(7)).toBeGreaterThan(share(8))
  expect(share(8)).toBeGreaterThan(share(9))
  expect(share(10)).toBeGreaterThan(100)
})

test('domain names differ and say that they are models', () => {
  const names = inventDomainNames(seededRandom(1), 500)
  expect(new Set(names).size).toBe(500)
  expect(names.every((name) => /^[a-z]+-model\.[a-z.]+$/.test(name))).toBe(true)
  expect(names.some(isPrivate)).toBe(true)
  expect(names.map(asPublic).some(isPrivate)).toBe(false)
})
