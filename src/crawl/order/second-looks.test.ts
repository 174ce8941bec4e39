import { expect, test } from 'vitest'
import type { PlannedFetch } from '#policy/budget/scheduler.ts'
import { keptForSecondLooks, withSecondLooks } from './second-looks.ts'

const parts = { acquire: 1, refresh: 0, discover: 0 }
const planned = (url: number): PlannedFetch => ({
  ...{ url, gain: 1, parts, expected: 1, purpose: 'acquire', why: () => '' },
})
const looks = (urls: readonly number[], links: Readonly<Record<number, number>> = {}) => ({
  urls: Uint32Array.from(urls),
  linksTo: (url: number) => links[url] ?? 0,
  why: (url: number) => `look at ${url}`,
})

test('one fetch in two hundred is kept for second looks, and no more than there are', () => {
  expect(keptForSecondLooks(looks([1, 2, 3]), 199, 0)).toBe(0)
  expect(keptForSecondLooks(looks([1, 2, 3]), 400, 0)).toBe(2)
  expect(keptForSecondLooks(looks([1, 2, 3]), 2000, 0)).toBe(3)
})

test('a crawl that plans few fetches at once keeps as many for second looks as any other', () => {
  let kept = 0
  for (let spent = 0; spent < 2000; spent += 50)
    kept += keptForSecondLooks(looks([1, 2, 3]), 50, spent)
  expect(kept).toBe(10)
  expect(keptForSecondLooks(looks([1]), 1, 199)).toBe(0)
})

test('second looks take what a plan leaves over, those most linked to first', () => {
  const fetches = withSecondLooks([planned(0)], looks([1, 2, 3], { 2: 5 }), { budget: 3 })
  expect(fetches.map(({ url }) => url)).toEqual([0, 2, 1])
  expect(fetches[1]).toMatchObject({ gain: 0, expected: 0, purpose: 'acquire' })
  expect(fetches[1].why()).toBe('look at 2')
})

test('what somebody named is looked at next, before what is linked to, and has its fetches kept', () => {
  const named = { ...looks([1, 2, 3], { 2: 5 }), isNamed: (url: number) => url !== 2 }
  expect(keptForSecondLooks(named, 50, 0)).toBe(2)
  const fetches = withSecondLooks([planned(0)], named, { budget: 4 })
  expect(fetches.map(({ url }) => url)).toEqual([0, 1, 3, 2])
})

test('a plan that uses its budget is left as it is', () => {
  expect(withSecondLooks([planned(0)], looks([1]), { budget: 1 })).toEqual(
    [planned(0)].map((f) => expect.objectContaining({ url: f.url })),
  )
})

test('hosts that are full get no second look', () => {
  const quotas = [{ groups: Uint32Array.of(0, 0, 1), most: 1 }]
  const fetches = withSecondLooks([planned(0)], looks([1, 2]), { budget: 3, quotas })
  expect(fetches.map(({ url }) => url)).toEqual([0, 2])
})
