import { expect, test } from 'vitest'
import type { Leases } from '#crawl/leases/leases.ts'
import { LeasesClock } from './leases-clock.ts'

/** A worker whose clock is an hour behind the leases', and whose questions take so long each way. */
function worker() {
  let seconds = 0
  const ahead = 3600
  const clock = new LeasesClock(() => seconds)
  const compare = (...ways: readonly (readonly [there: number, back: number])[]) => {
    const left = [...ways]
    return clock.set(async (what) => {
      const [there, back] = left.shift() ?? [1, 1]
      seconds += there
      const at = await what({ now: async () => seconds + ahead } as Leases)
      seconds += back
      return at
    })
  }
  return {
    clock,
    compare,
    pass: (some: number) => (seconds += some),
    wrong: () => clock.now() - seconds - ahead,
  }
}

test('the quickest answer tells best, and by how much it may be wrong', async () => {
  const { clock, compare, wrong } = worker()
  await compare([0.4, 0], [0.02, 0], [0, 0.3])
  expect(clock.error).toBeCloseTo(0.01, 9)
  expect(Math.abs(wrong())).toBeLessThanOrEqual(clock.error + 1e-9)
})

test('a clock that is right as far as anybody can tell does not jump: rests of hosts would be cut short', async () => {
  const { compare, pass, wrong } = worker()
  await compare([0, 0.02])
  const before = wrong()
  pass(121)
  const comparing = compare([0.5, 0], [0.4, 0], [0.3, 0], [0.05, 0.01])
  expect(wrong()).toBeCloseTo(before, 9)
  await comparing
  expect(wrong()).toBeCloseTo(before, 9)
})

test('one that stood still while its machine slept is set anew', async () => {
  const { clock, compare, pass } = worker()
  await compare([0, 0.02])
  pass(121)
  const shifted = clock.set(async (what) => what({ now: async () => 9_000 } as Leases))
  expect(await shifted).toBe(true)
  expect(clock.now()).toBeCloseTo(9_000, 6)
})
