import { expect, test } from 'vitest'
import { BirthWatch } from './birth-watch.ts'

test('a new page waits for the weeks in which it could have been found', () => {
  const watch = new BirthWatch([
    { page: 0, born: 1, lastLive: 4 }, // found at once, fetched a week later
    { page: 1, born: 1, lastLive: 4 }, // found after two weeks, never fetched
    { page: 2, born: 2, lastLive: 2 }, // gone before anybody came
    { page: 3, born: 9, lastLive: 9 }, // not born yet
  ])
  const knownSince = [1, 3, Number.POSITIVE_INFINITY, 0]
  const heldSince = [2, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0]
  const none = { born: 0, known: 0, held: 0, weeksUnknown: null, weeksUnheld: null }
  expect(watch.delays()).toEqual(none)
  for (let week = 1; week <= 4; week++)
    watch.look(
      week,
      (page) => knownSince[page] <= week,
      // What was held once counts, even if the copy is dropped later.
      (page) => heldSince[page] === week,
    )
  expect(watch.delays()).toEqual({
    born: 3,
    known: 2,
    held: 1,
    weeksUnknown: (0 + 2 + 1) / 3,
    weeksUnheld: (1 + 4 + 1) / 3,
  })
})
