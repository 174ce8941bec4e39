import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineCutter } from './line-cutter.ts'

test('lines are those of the whole, wherever it was cut into chunks', () => {
  const bytes = fc.array(fc.constantFrom('a', 'é', '\n')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(30)), (text, cuts) => {
      const whole = Buffer.from(text)
      const places = [0, ...cuts.filter((cut) => cut < whole.length), whole.length]
      places.sort((a, b) => a - b)
      const cutter = new LineCutter()
      const lines = places
        .slice(1)
        .flatMap((end, i) => cutter.linesIn(whole.subarray(places[i], end)))
      const found = [...lines, cutter.begun].map(String)
      expect(found).toEqual(text.split('\n'))
      expect(cutter.begunBytes).toBe(Buffer.byteLength(found.at(-1)!))
    }),
  )
})

test('of a line that never ends only a beginning is kept, and its length is known', () => {
  const cutter = new LineCutter(10)
  for (let chunk = 0; chunk < 100; chunk++) cutter.linesIn(Buffer.from('12345678'))
  expect(cutter.begunBytes).toBe(800)
  expect(cutter.begun.length).toBe(16)
  expect(cutter.linesIn(Buffer.from('9\nshort\n')).map(({ length }) => length)).toEqual([17, 5])
})
