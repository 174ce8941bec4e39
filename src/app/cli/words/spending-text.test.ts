import { expect, test } from 'vitest'
import type { CycleRecord } from '#crawl/ports.ts'
import { Spending } from '#library/status/spending.ts'
import type { Purpose } from '#policy/bids.ts'
import { spendingWords, tasksText } from './spending-text.ts'

/** A cycle's fetches as far as spending looks at them; what robots.txt forbids costs nothing. */
function fetched(...purposes: (Purpose | 'disallowed')[]): CycleRecord['fetches'] {
  const kinds = purposes.map((purpose) =>
    purpose === 'disallowed'
      ? { purpose: 'acquire', outcome: { kind: 'disallowed' } }
      : { purpose, outcome: { kind: 'gone' } },
  )
  return kinds as unknown as CycleRecord['fetches']
}

test('a run adds up what was paid for, cycle by cycle, and keeps the last price', () => {
  const spending = new Spending()
  spending.take({ fetches: fetched('acquire', 'acquire', 'disallowed', 'refresh'), price: 0.5 })
  spending.take({ fetches: fetched('discover') })
  expect(spending.tasks).toEqual({ acquire: 2, refresh: 1, discover: 1 })
  expect(spendingWords(spending)).toEqual([
    '50 % new pages, 25 % copies, 25 % links',
    'price 0.500',
  ])
})

test('where only new pages are fetched there is nothing to tell', () => {
  const spending = new Spending()
  spending.take({ fetches: fetched('acquire') })
  expect(spendingWords(spending)).toEqual([])
  expect(tasksText({ acquire: 0, refresh: 0, discover: 0 })).toBe(
    '0 % new pages, 0 % copies, 0 % links',
  )
})
