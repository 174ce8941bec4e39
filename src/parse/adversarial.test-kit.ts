import { expect, test } from 'vitest'
import { costMs, staysLinear } from '#numeric/stays-linear.test-kit.ts'

/** Below this, the clock and the garbage collector are all one measures. */
const CLOCK_MS = 4
/** No size may take more than so many times what it takes to look at each character once. */
const MAX_LOOKS = 250
/** So often an input that seems too dear is tried again: the least time counts. */
const MORE_RUNS = 9
const LOOKED_AT = 'abcdefgh'.repeat(2 ** 20)

/**
 * Tests that a parser's time grows with the size of its input and no faster, and that no input costs far more than
 * others of its size.
 */
export function testLinear<Input>(
  name: string,
  makeInput: (size: number) => Input,
  parse: (input: Input) => unknown,
  largest: number,
): void {
  test(`${name}: ${largest.toLocaleString('en')} bytes take time in proportion`, async () => {
    let ms = await staysLinear(makeInput, parse, { size: largest / 8 })
    const lookMs = (await lookAllMs()) * (largest / LOOKED_AT.length)
    const input = makeInput(largest)
    for (let again = 0; again < MORE_RUNS && ms >= Math.max(CLOCK_MS, MAX_LOOKS * lookMs); again++)
      ms = Math.min(ms, await costMs(parse, input)) // a collection of garbage in one run says nothing of the parser
    if (ms >= CLOCK_MS) expect(ms / lookMs).toBeLessThan(MAX_LOOKS)
  })
}

/** What it takes to look at that text, the least of three times; measured once. */
let leastMs: Promise<number> | undefined
function lookAllMs(): Promise<number> {
  const once = () => costMs(look, LOOKED_AT)
  leastMs ??= once().then(async (first) => Math.min(first, await once(), await once()))
  return leastMs
}

/** The plainest parser: it adds up characters. */
function look(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0
  return sum
}
