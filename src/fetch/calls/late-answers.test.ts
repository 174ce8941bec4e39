import { expect, test } from 'vitest'
import { LateAnswers } from './late-answers.ts'

test('answers are late after a quarter of a second, as long as ending calls early is of use', () => {
  const late = new LateAnswers({ minCallSeconds: 5 })
  expect(late.seconds).toBe(0.25)
  late.endCall(10, 3)
  expect(late.seconds).toBe(0.25)
})

test('calls that could send nothing are ended ever later, up to the shortest call', () => {
  const late = new LateAnswers({ minCallSeconds: 5 })
  const after = [0, 0, 0, 0, 0, 0, 2, 1].map((sent) => {
    late.endCall(10, sent)
    return late.seconds
  })
  expect(after).toEqual([0.5, 1, 2, 4, 5, 5, 2.5, 1.25])
})

test('planning takes a tenth of the time at most', () => {
  const late = new LateAnswers({ minCallSeconds: 5 })
  late.endCall(10, 1)
  late.beginCall(10.2)
  expect(late.seconds).toBeCloseTo(2)
  late.endCall(20, 1)
  late.beginCall(29)
  expect(late.seconds).toBeCloseTo(90)
})
