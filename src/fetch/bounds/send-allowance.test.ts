import { expect, test } from 'vitest'
import { SendAllowance } from './send-allowance.ts'

test('as many may depart as are allowed from the beginning, whoever takes them', () => {
  const counts = new Int32Array(new SharedArrayBuffer(8))
  const [reader, ...workers] = Array.from({ length: 3 }, () => new SendAllowance(counts))
  expect(workers[0].take(), 'before anything is allowed').toBe(false)
  reader.allow(3)
  expect(workers.map((worker) => worker.take())).toEqual([true, true])
  expect([reader.left, workers[0].take(), workers[1].take()]).toEqual([1, true, false])
  reader.allow(4)
  expect([workers[1].take(), reader.left]).toEqual([true, 0])
})

test('what is allowed no longer is not sent, though more has departed', () => {
  const allowance = new SendAllowance()
  allowance.allow(3)
  for (let n = 0; n < 3; n++) allowance.take()
  allowance.allow(1)
  expect([allowance.left, allowance.take()]).toEqual([-2, false])
  allowance.allow(Number.POSITIVE_INFINITY)
  expect(allowance.take()).toBe(true)
})
