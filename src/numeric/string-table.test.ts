import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hash64, lastHash64 } from './hash.ts'
import { StringTable } from './string-table.ts'

// Texts of all kinds: plain, beyond one byte, half surrogate pairs, empty, repeated.
const text = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)

test('strings are numbered like in a Map, and come back unharmed', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 300 }), text, (texts, stranger) => {
      const table = new StringTable()
      const twin = new Map<string, number>()
      for (const each of texts) {
        if (!twin.has(each)) twin.set(each, twin.size)
        expect(table.add(each)).toBe(twin.get(each))
      }
      expect(table.size).toBe(twin.size)
      for (const [each, number] of twin) {
        expect(table.find(each)).toBe(number)
        expect(table.at(number)).toBe(each)
      }
      expect(table.find(stranger)).toBe(twin.get(stranger))
    }),
  )
})

test('strings keep their numbers when all of them get other slots', () => {
  const table = new StringTable(2) // every other table of this size has searches of two steps
  const twin = new StringTable()
  for (let number = 0; number < 5_000; number++) {
    const text = `text ${(number * 7919) % 3_001}`
    expect(table.add(text)).toBe(twin.add(text))
  }
  expect(table.find('text 3000')).toBe(twin.find('text 3000'))
  expect(table.find('no such text')).toBeUndefined()
})

test('many URLs keep their numbers while the table grows', () => {
  const table = new StringTable()
  const url = (page: number) => `https://www.example.org/section/${page % 97}/page-${page}.html`
  for (let page = 0; page < 200_000; page++) table.add(url(page))
  expect(table.size).toBe(200_000)
  for (let page = 0; page < 200_000; page += 37) {
    expect(table.find(url(page))).toBe(page)
    expect(table.at(page)).toBe(url(page))
  }
  expect(table.find(url(200_000))).toBeUndefined()
})

test('texts around and beyond the size of a chunk are kept whole', () => {
  const table = new StringTable()
  const long = 'x'.repeat(9_000_000)
  const texts = ['before', long, `${long}é`, `${long}中`, 'after']
  for (const each of texts) table.add(each)
  texts.forEach((each, number) => {
    expect(table.at(number) === each).toBe(true)
    expect(table.find(each)).toBe(number)
  })
})

test('the hashes of all strings are at hand, by number', () => {
  const table = new StringTable()
  table.add('a')
  table.add('b')
  const { low, high } = table.hashes()
  hash64('b')
  expect([low.length, low[1], high[1]]).toEqual([2, lastHash64[0], lastHash64[1]])
})

test('a number nobody got is a bug, not a string', () => {
  expect(() => new StringTable().at(0)).toThrow('outside')
})

test('strings known to be new get the numbers and are found as if they had come one by one', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text), fc.nat(), (texts, cut) => {
      const first = texts.slice(0, cut % (texts.length + 1))
      const table = new StringTable()
      for (const each of first) table.add(each)
      table.addDistinct(texts.slice(first.length))
      texts.forEach((each, number) => {
        expect(table.at(number)).toBe(each)
        expect(table.find(each)).toBe(number)
        expect(table.add(each)).toBe(number)
      })
    }),
  )
})
