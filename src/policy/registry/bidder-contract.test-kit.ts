import { expect, test } from 'vitest'
import type { Bidder } from '../bidder.ts'
import { openUrls } from '../define-bidder.ts'
import { type Facts, FREE_FACTS } from '../facts/facts.ts'

/** Bids whose reasons are looked at. */
const MOST_REASONS = 40

/** Tests what every bidder promises, on the given facts and on others that are equal to them. */
export function obeysTheContract(
  bidder: Bidder,
  kind: string,
  [factsOf, twinsOf]: readonly [() => Facts, () => Facts],
): void {
  const { name, task } = bidder

  test(`${name}, ${kind}: one bid a URL, finite and at least 0, for URLs of its task, with a reason`, () => {
    const facts = factsOf()
    const { purpose, urls, gains, expected, reveals, why } = bidder.bids(facts)
    expect(purpose).toBe(task)
    expect(new Set(urls).size).toBe(urls.length)
    const open = openUrls(task, facts)
    expect(urls.every((url) => open.has(url))).toBe(true)
    for (const column of [gains, expected, reveals?.links, reveals?.days]) {
      if (column === undefined) continue
      expect(column.length).toBe(urls.length)
      expect(column.every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
    }
    for (let i = 0; i < Math.min(urls.length, MOST_REASONS); i++) expect(why(i)).toMatch(/^\S.{2,}/)
  })

  test(`${name}, ${kind}: it reads the facts that it names and no others, and writes to none`, () => {
    const facts = factsOf()
    const read = new Set<string>()
    const watched = new Proxy(facts, {
      get: (given, fact) => {
        if (typeof fact === 'string') read.add(fact)
        return Reflect.get(given, fact)
      },
      set: () => false,
    })
    bidder.bids(facts) // what is learnt meanwhile is there before the facts are compared
    const before = bidder.needs.map((fact) => columnsOf(facts[fact]))
    const { why, urls } = bidder.bids(watched)
    if (urls.length > 0) why(0)
    const allowed: readonly string[] = [...bidder.needs, ...FREE_FACTS]
    expect([...read].filter((fact) => !allowed.includes(fact))).toEqual([])
    expect(bidder.needs.map((fact) => columnsOf(facts[fact]))).toEqual(before)
  })

  test(`${name}, ${kind}: the same facts lead to the same bids`, () => {
    const facts = factsOf()
    const [once, again] = [bidder.bids(facts), bidder.bids(facts)]
    const afresh = bidder.bids(twinsOf())
    for (const other of [again, afresh])
      expect([other.urls, other.gains, other.expected]).toEqual([
        once.urls,
        once.gains,
        once.expected,
      ])
  })
}

/** Copies of the columns that a fact is, or has. */
function columnsOf(fact: unknown): unknown {
  if (ArrayBuffer.isView(fact)) return (fact as Float64Array).slice()
  if (typeof fact !== 'object' || fact === null) return undefined
  return Object.values(fact)
    .filter((part) => ArrayBuffer.isView(part))
    .map((part) => (part as Float64Array).slice())
}

/** Facts that are made once, and their twins. */
export function twice(factsOf: () => Facts): readonly [() => Facts, () => Facts] {
  return [once(factsOf), once(factsOf)]
}

function once(make: () => Facts): () => Facts {
  let made: Facts | undefined
  return () => {
    made ??= make()
    return made
  }
}
