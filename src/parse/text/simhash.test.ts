import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { simhash, wordMarks } from './simhash.ts'

const random = seededRandom(20)
const randomWord = () => {
  const length = 2 + Math.floor(random.next() * 8)
  return Array.from({ length }, () =>
    String.fromCharCode(97 + Math.floor(random.next() * 26)),
  ).join('')
}
const randomText = (words: number) => Array.from({ length: words }, randomWord)
const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length
const bits = (word: number) => (word >>> 0).toString(2).replaceAll('0', '').length
/** In how many of the 64 bits the hashes of two texts differ. */
function distance(a: readonly string[], b: readonly string[]): number {
  const [one, other] = [a, b].map((words) => simhash(words.join(' ')))
  return bits(one.low ^ other.low) + bits(one.high ^ other.high)
}

/** The text with so many of its words replaced. */
function edited(text: readonly string[], edits: number): string[] {
  const changed = [...text]
  for (let i = 0; i < edits; i++) changed[Math.floor(random.next() * text.length)] = randomWord()
  return changed
}

test('texts that have nothing in common differ in about half of all bits', () => {
  const distances = Array.from({ length: 300 }, () => distance(randomText(200), randomText(200)))
  expect(mean(distances)).toBeGreaterThan(31)
  expect(mean(distances)).toBeLessThan(33)
  expect(Math.min(...distances)).toBeGreaterThan(12)
})

test.each([
  [1, 1000, 0, 4],
  [3, 1000, 1, 8],
  [20, 1000, 4, 16],
  [200, 1000, 10, 30],
])('%i of %i words replaced changes %i to %i bits', (edits, words, least, most) => {
  const distances = Array.from({ length: 60 }, () => {
    const text = randomText(words)
    return distance(text, edited(text, edits))
  })
  expect(mean(distances)).toBeGreaterThanOrEqual(least)
  expect(mean(distances)).toBeLessThanOrEqual(most)
})

test('the bits are as often set as not', () => {
  const sets = Array.from({ length: 400 }, () => simhash(randomText(41).join(' ')))
  for (let bit = 0; bit < 32; bit++)
    for (const word of ['low', 'high'] as const) {
      const share = mean(sets.map((hash) => (hash[word] >>> bit) & 1))
      expect(Math.abs(share - 0.5)).toBeLessThan(0.15)
    }
})

test('case, punctuation and white space do not count, the order of words does', () => {
  const hash = simhash('The quick, brown fox: jumps!')
  expect(simhash('the QUICK brown\n\nfox "jumps"')).toEqual(hash)
  expect(simhash('jumps fox brown quick the')).not.toEqual(hash)
})

test.each(['', ' … — ', 'one', 'one two', 'öl', '東', '東京', 'ÀÉÎ', '\ud800'])(
  'a text as short as %j has a hash',
  (text) => {
    const { low, high } = simhash(text)
    expect(simhash(` ${text} `)).toEqual({ low, high })
  },
)

test('other scripts are read as words or characters', () => {
  const hashes = [
    'привет мир друг',
    'привет мир враг',
    '東京都に住む',
    '大阪府に住む',
    '한국어 문장 하나',
  ]
  expect(new Set(hashes.map((text) => JSON.stringify(simhash(text)))).size).toBe(5)
  expect(simhash('ПРИВЕТ, мир друг')).toEqual(simhash('привет мир друг'))
})

/** The definition: each run of three words, whose own hash is its vote, counts on every bit. */
function simhashByBits(words: readonly string[]): { low: number; high: number } {
  const votes = words.slice(2).map((_, at) => simhash(words.slice(at, at + 3).join(' ')))
  const bitsOf = (word: 'low' | 'high') => {
    let bits = 0
    for (let bit = 0; bit < 32; bit++) {
      const set = votes.filter((vote) => (vote[word] >>> bit) & 1).length
      if (2 * set > votes.length) bits += 2 ** bit
    }
    return bits
  }
  return { low: bitsOf('low'), high: bitsOf('high') }
}

test('each bit is what the majority of runs of three words has', () => {
  const word = fc.constantFrom('one', 'two', 'Three', 'öl', '東', '42', 'a', 'мир')
  fc.assert(
    fc.property(fc.array(word, { minLength: 3, maxLength: 40 }), (words) => {
      expect(simhash(words.join(' '))).toEqual(simhashByBits(words))
    }),
  )
})

test('any text has a hash of two unsigned words, always the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const hash = simhash(text)
      expect(hash).toEqual(simhash(text))
      expect(hash.low >>> 0).toBe(hash.low)
      expect(hash.high >>> 0).toBe(hash.high)
    }),
  )
})

test('two pages have one fingerprint if and only if they say the same words in the same order', () => {
  const word = fc.constantFrom('one', 'two', 'One', 'öl', 'Öl', '東', '京', '42', 'a', 'ab', 'ba')
  const words = fc.array(word, { maxLength: 4 })
  const markOf = (said: readonly string[]) => wordMarks('', said.join(', ')).fingerprint
  const folded = (said: readonly string[]) => said.join(' ').toLowerCase()
  fc.assert(
    fc.property(words, words, (a, b) => {
      const isSame = JSON.stringify(markOf(a)) === JSON.stringify(markOf(b))
      expect(isSame).toBe(folded(a) === folded(b))
    }),
    { numRuns: 2000 },
  )
})

test('200,000 texts that differ in one word have as many fingerprints', () => {
  const found = new Set<bigint>()
  for (let number = 0; number < 200_000; number++) {
    const { low, high } = wordMarks('Page', `is number ${number} of many`).fingerprint
    found.add((BigInt(high) << 32n) | BigInt(low))
  }
  expect(found.size).toBe(200_000)
})

test('a title leaves its mark, but its words are not counted', () => {
  const marks = wordMarks('One two', 'three, four five')
  expect(marks.words).toBe(3)
  expect({ ...marks, words: 5 }).toEqual(wordMarks('', 'one two three four five'))
})
