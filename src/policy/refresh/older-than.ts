import type { Bidder } from '../bidder.ts'

/** More than any link-based gain: whoever promises freshness wants it kept first. */
const BEFORE_ALL_ELSE = 1e9

/** Bids for every copy older than a limit, the oldest first; what that gains searchers is left to others. */
export function olderThan(limitSeconds: number): Bidder {
  return {
    name: 'older-than',
    summary: 'copies older than a limit, the oldest first',
    task: 'refresh',
    unit: 'rank',
    needs: ['pages', 'ages'],
    bids: ({ pages, ages }) => {
      const old: number[] = []
      for (let i = 0; i < pages.length; i++) if (ages[i] > limitSeconds) old.push(i)
      return {
        purpose: 'refresh',
        urls: Uint32Array.from(old, (i) => pages[i]),
        gains: Float64Array.from(old, (i) => BEFORE_ALL_ELSE + ages[i] / limitSeconds),
        expected: new Float64Array(old.length),
        why: (bid) => `the copy is ${(ages[old[bid]] / 86_400).toFixed(1)} days old`,
      }
    },
  }
}
