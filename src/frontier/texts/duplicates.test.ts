import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Duplicates, NEAR_MIN_WORDS, type TextMarks } from './duplicates.ts'

const word = fc.integer({ min: 0, max: 0xffffffff })
const marks = (
  fingerprint: number,
  simhash: readonly [number, number],
  words = 500,
): TextMarks => ({
  fingerprint: [fingerprint, 0],
  simhash,
  words,
  title: 7,
})
const flip = (
  [low, high]: readonly [number, number],
  bits: readonly number[],
): [number, number] => {
  let [a, b] = [low, high]
  for (const bit of bits) {
    if (bit < 32) a = (a ^ (1 << bit)) >>> 0
    else b = (b ^ (1 << (bit - 32))) >>> 0
  }
  return [a, b]
}

/** Who said it first; the page says it from now on if nobody did. */
function heard(duplicates: Duplicates, url: number, text: TextMarks, isShown = true) {
  const original = duplicates.originalOf(url, text, isShown)
  if (original === undefined) duplicates.say(url, text, isShown)
  else duplicates.leave(url, isShown)
  return original
}

test('the same text is a duplicate of the page that had it first', () => {
  const duplicates = new Duplicates()
  expect(heard(duplicates, 7, marks(1, [1, 2], 5))).toBeUndefined()
  expect(heard(duplicates, 9, marks(1, [1, 2], 5))).toBe(7)
  expect(heard(duplicates, 7, marks(1, [1, 2], 5))).toBeUndefined()
})

test('simhashes up to three bits apart are near duplicates, wherever the bits lie', () => {
  const bits = fc.uniqueArray(fc.nat(63), { maxLength: 6 })
  fc.assert(
    fc.property(word, word, bits, (low, high, flipped) => {
      const duplicates = new Duplicates()
      heard(duplicates, 1, marks(1, [low, high]))
      const found = heard(duplicates, 2, marks(2, flip([low, high], flipped)))
      expect(found).toBe(flipped.length <= 3 ? 1 : undefined)
    }),
  )
})

test('thin pages of one template are told apart by their titles', () => {
  const duplicates = new Duplicates()
  heard(duplicates, 1, marks(1, [5, 5]))
  expect(heard(duplicates, 2, { ...marks(2, [5, 4]), title: 8 })).toBeUndefined()
  expect(heard(duplicates, 3, marks(3, [5, 4]))).toBe(1)
})

test('short texts are duplicates only when they are the same', () => {
  const duplicates = new Duplicates()
  heard(duplicates, 1, marks(1, [5, 5], NEAR_MIN_WORDS - 1))
  expect(heard(duplicates, 2, marks(2, [5, 5], NEAR_MIN_WORDS - 1))).toBeUndefined()
})

test('a page without words is nobody’s duplicate', () => {
  const duplicates = new Duplicates()
  heard(duplicates, 1, marks(0, [0, 0], 0))
  expect(heard(duplicates, 2, marks(0, [0, 0], 0))).toBeUndefined()
})

describe('what a page says now', () => {
  test('counts, not what it once said', () => {
    const duplicates = new Duplicates()
    heard(duplicates, 1, marks(1, [5, 5]))
    heard(duplicates, 1, marks(2, [500, 999]))
    expect(heard(duplicates, 2, marks(1, [5, 5]))).toBeUndefined()
    expect(heard(duplicates, 3, marks(1, [5, 5]))).toBe(2)
    expect(heard(duplicates, 4, marks(3, [5, 4]))).toBe(2)
  })

  test('is nothing once it is lost, or has become a duplicate itself', () => {
    const duplicates = new Duplicates()
    heard(duplicates, 1, marks(1, [5, 5]))
    duplicates.leave(1)
    expect(heard(duplicates, 2, marks(1, [5, 5]))).toBeUndefined()
    heard(duplicates, 3, marks(7, [70, 80]))
    expect(heard(duplicates, 2, marks(7, [70, 80]))).toBe(3)
    expect(heard(duplicates, 1, marks(1, [5, 5]))).toBeUndefined()
  })

  test('does not stand for pages that are shown if it is not shown itself', () => {
    const duplicates = new Duplicates()
    const hidden = (url: number) => heard(duplicates, url, marks(1, [5, 5]), false)
    expect(hidden(1)).toBeUndefined()
    expect(hidden(2)).toBe(1)
    expect(heard(duplicates, 3, marks(1, [5, 5]))).toBeUndefined()
    expect(hidden(4)).toBe(3)
    expect(hidden(3)).toBeUndefined() // it is shown no more
    expect(heard(duplicates, 5, marks(1, [5, 5]))).toBeUndefined()
  })

  test('is the same for a naive keeper of texts', () => {
    const text = fc.integer({ min: 1, max: 4 })
    const step = fc.record({ url: fc.nat(5), text, shown: fc.boolean(), leaves: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const duplicates = new Duplicates()
        const says = new Map<number, { text: number; shown: boolean }>()
        for (const { url, text, shown, leaves } of steps) {
          says.delete(url)
          if (leaves) {
            duplicates.leave(url)
            continue
          }
          const found = heard(duplicates, url, marks(text, [text, 0], 5), shown)
          const others = [...says].filter(([, one]) => one.text === text && (one.shown || !shown))
          // A page that was shown and no longer is may lose its place to nobody else.
          if (found !== undefined) expect(others.map(([other]) => other)).toContain(found)
          else says.set(url, { text, shown })
          if (shown && found === undefined) expect(others).toEqual([])
        }
      }),
    )
  })
})

test('the duplicates of lost pages are found by what was noted', () => {
  const duplicates = new Duplicates()
  duplicates.note(5, 2)
  duplicates.note(3, 2)
  duplicates.note(4, 0)
  duplicates.note(3, undefined)
  expect(duplicates.notedOriginal(4)).toBe(0)
  expect(duplicates.notedOriginal(3)).toBeUndefined()
  duplicates.note(1, 2)
  duplicates.note(5, 0)
  duplicates.note(5, 2)
  expect([...duplicates.duplicatesOf(2)]).toEqual([1, 5])
  expect([...duplicates.duplicatesOf(7)]).toEqual([])
})

test('notes that come and go leave those that hold', () => {
  const aNote = fc.tuple(fc.nat({ max: 6 }), fc.option(fc.nat({ max: 6 }), { nil: undefined }))
  fc.assert(
    fc.property(fc.array(aNote), (notes) => {
      const duplicates = new Duplicates()
      const noted = new Map<number, number | undefined>()
      for (const [url, original] of notes) {
        duplicates.note(url, original)
        noted.set(url, original)
        for (let page = 0; page <= 6; page++) {
          const urls = [...noted].filter(([, of]) => of === page).map(([one]) => one)
          expect([...duplicates.duplicatesOf(page)]).toEqual(urls.sort((a, b) => a - b))
          expect(duplicates.notedOriginal(page)).toBe(noted.get(page))
        }
      }
    }),
  )
})
