import { expect, test } from 'vitest'
import { HeldAnswers } from '../refresh/held-answers.ts'
import { NOTHING } from '../refresh/weekly-pages.ts'
import { modelWorld, pageNamed, smallWorld } from './small-world.test-kit.ts'
import type { BudgetWorld } from './world.ts'

const world = smallWorld(
  4,
  {
    home: [
      { live: [0, 1], text: ['tea'], to: ['old'] },
      { live: [2, 3], text: ['tea'], to: ['young', 'moved'] },
    ],
    old: [{ live: [0, 1], text: ['green tea'] }],
    young: [{ live: [2, 3], text: ['black tea'] }],
    moved: [
      { live: [0, 0], text: ['red'] },
      { live: [1, 3], redirect: 'http://a.example/young' },
    ],
    never: [{ live: [0, 3], redirect: 'http://a.example/home' }],
  },
  { tea: 2, 'green tea': 1, red: 1, nowhere: 1 },
)
const contentsOf = ({ pages: { weeks, contents } }: BudgetWorld, page: number) =>
  Array.from(contents.subarray(page * weeks, (page + 1) * weeks))

test('pages come and go, and a redirect is no page', () => {
  const isThere = (name: string) =>
    contentsOf(world, pageNamed(world, name)).map((content) => content !== NOTHING)
  expect(isThere('home')).toEqual([true, true, true, true])
  expect(isThere('old')).toEqual([true, true, false, false])
  expect(isThere('young')).toEqual([false, false, true, true])
  expect(isThere('moved')).toEqual([true, false, false, false])
  expect(pageNamed(world, 'never')).toBe(-1)
  expect([...world.liveCounts]).toEqual([3, 2, 2, 2])
  expect(world.bornAt[pageNamed(world, 'young')]).toBe(2)
})

test('only links that differ are no change of the content', () => {
  const [first, , third] = contentsOf(world, pageNamed(world, 'home'))
  expect(third).toBe(first)
  expect(world.versionAt(pageNamed(world, 'home'), 2)).not.toBe(
    world.versionAt(pageNamed(world, 'home'), 1),
  )
})

/** Everything held and current, week by week. */
function idealsByCopies({ pages, answers }: BudgetWorld): number[] {
  const held = HeldAnswers.at(pages, answers, 0)
  return Array.from({ length: pages.weeks }, (_, week) => {
    for (const page of pages.changedPages[week])
      held.change(page, pages.contents[page * pages.weeks + week])
    for (const page of pages.changedPages[week]) held.refresh(page)
    return held.earned
  })
}

test.each([
  ['small', world],
  ['model web', modelWorld(5, 500, 6)],
])('the ideal is what holding everything would earn: %s', (_, some) => {
  const queries = some.answers.shares
  idealsByCopies(some).forEach((earned, week) => {
    const ideal = queries.reduce(
      (sum, share, query) => sum + share * some.ideals[week * queries.length + query],
      0,
    )
    expect(ideal).toBeCloseTo(earned, 9)
  })
})

test('no page scores above the bound of a query', () => {
  const { answers, bounds } = modelWorld(5, 500, 6)
  const shares = Array.from(
    answers.scores,
    (score, at) => score / bounds[answers.slotQueries[answers.slots[at]]],
  )
  expect(Math.max(...shares)).toBeLessThanOrEqual(1)
  expect(Math.max(...shares)).toBeGreaterThan(0.1)
})
