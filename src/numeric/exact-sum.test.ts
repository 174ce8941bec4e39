import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExactSum } from './exact-sum.ts'

const term = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 2 ** 60, noNaN: true }),
  fc.double({ min: 0, max: 1e-20, noNaN: true }),
  fc.constantFrom(2 ** 22, 2 ** 22 - 2 ** -31, 1, 2 ** -82),
)

function sumOf(terms: readonly number[]): ExactSum {
  const sum = new ExactSum()
  for (const one of terms) sum.add(one)
  return sum
}

/** A double as a whole number of 2^-82, what is smaller being dropped. */
function units(value: number): bigint {
  const words = new BigUint64Array(Float64Array.of(value).buffer)
  const [exponent, fraction] = [words[0] >> 52n, words[0] & (2n ** 52n - 1n)]
  const shift = exponent - 1075n + 82n
  if (exponent === 0n) return 0n
  const whole = fraction | (2n ** 52n)
  return shift >= 0n ? whole << shift : whole >> -shift
}

test('the sum is exact, whatever the order and whoever adds what', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 40 }), fc.nat(40), (terms, at) => {
      const { limbs, value } = sumOf(terms)
      const [high, middle, low] = limbs.map(BigInt)
      const exactly = terms.reduce((sum, one) => sum + units(one), 0n)
      expect((high << 104n) + (middle << 52n) + low).toBe(exactly)
      const plain = terms.reduce((sum, one) => sum + one, 0)
      expect(Math.abs(value - plain)).toBeLessThanOrEqual(1e-14 * plain + 1e-23)
      const other = sumOf(terms.slice(at).toReversed())
      other.addLimbs(sumOf(terms.slice(0, at)).limbs)
      expect(other.limbs).toEqual(limbs)
    }),
    { numRuns: 500 },
  )
})
