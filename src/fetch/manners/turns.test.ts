import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('turns come in order, and who is put back is the first again, however many wait', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), count: fc.integer({ min: 1, max: 80 }) }),
    fc.record({ kind: fc.constant('take' as const), count: fc.integer({ min: 1, max: 80 }) }),
    fc.record({ kind: fc.constant('putBack' as const), count: fc.constant(1) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const turns = new Turns<number>()
      const twin: number[] = []
      let number = 0
      for (const { kind, count } of steps)
        for (let i = 0; i < count; i++) {
          if (kind === 'take') expect(turns.take()).toBe(twin.shift())
          else if (kind === 'push') turns.push(twin[twin.push(++number) - 1])
          else {
            twin.unshift(++number)
            turns.putBack(number)
          }
          expect(turns.size).toBe(twin.length)
        }
    }),
  )
})
