import { expect, test } from 'vitest'

/** Below this, the clock and the garbage collector are all one measures. */
const CLOCK_MS = 1
/** Eight times the size may take so many times as long; quadratic time would give 64. */
const MAX_GROWTH = 20
/** And no size more than so many times what it takes to look at each character once. */
const MAX_LOOKS = 250
const LOOKED_AT = 'abcdefgh'.repeat(2 ** 20)

/**
 * Tests that a parser's time grows with the size of its input and no faster, and that no input costs far more than
 * others of its size. All is compared within one run, in time of the processor, which others on a busy machine do
 * not use up.
 */
export function staysLinear<Input>(
  name: string,
  makeInput: (size: number) => Input,
  parse: (input: Input) => unknown,
  largest: number,
): void {
  test(`${name}: ${largest.toLocaleString('en')} bytes take time in proportion`, () => {
    const small = makeInput(largest / 8)
    const large = makeInput(largest)
    const isSlow = () => {
      const ms = msOf(() => parse(large))
      if (ms < 4 * CLOCK_MS) return false
      const growth =
        ms /
        Math.max(
          msOf(() => parse(small)),
          CLOCK_MS,
        )
      const looks = (ms / msOf(look)) * (LOOKED_AT.length / largest)
      return growth > MAX_GROWTH || looks > MAX_LOOKS
    }
    expect(isSlow() && isSlow() && isSlow()).toBe(false)
  })
}

/** Of the processor; the best of two. */
export function msOf(work: () => unknown): number {
  const runs = Array.from({ length: 2 }, () => {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  return Math.min(...runs)
}

/** The plainest parser: it adds up characters. */
function look(): number {
  let sum = 0
  for (let at = 0; at < LOOKED_AT.length; at++) sum = (sum + LOOKED_AT.charCodeAt(at)) | 0
  return sum
}
