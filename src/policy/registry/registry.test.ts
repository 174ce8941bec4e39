import { describe, expect, test } from 'vitest'
import { defineBidder } from '../define-bidder.ts'
import { variedFacts } from '../facts/varied-facts.test-kit.ts'
import { olderThan } from '../refresh/older-than.ts'
import { obeysTheContract, twice } from './bidder-contract.test-kit.ts'
import { REGISTRY, renamedTo } from './registry.ts'

const own = defineBidder({
  name: 'a-users-own',
  task: 'refresh',
  needs: ['pages', 'ages', 'addresses'],
  bids: ({ pages, ages, addresses }) => ({
    urls: pages,
    gains: ages.map((age, i) => (addresses.of(pages[i]).includes('/news/') ? 2 : 1) * age),
  }),
})

for (const [kind, factsOf] of Object.entries(variedFacts()))
  describe(`with ${kind}`, () => {
    const facts = twice(factsOf)
    for (const bidder of [...REGISTRY.all(), olderThan(() => 86_400), own])
      obeysTheContract(bidder, kind, facts)
  })

test('every bidder has a name of its own, a line for --help, and what it needs', () => {
  const all = REGISTRY.all()
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { name, summary, needs } of all) {
    expect(name).toMatch(/^[a-z][a-z-]+$/)
    expect(summary).toMatch(/^[a-z].{10,}[^.]$/)
    expect(needs.length).toBeGreaterThan(0)
  }
})

test("a user's own goes before ours of the same name, and leaves the registry as it was", () => {
  const mine = defineBidder({
    ...own,
    name: 'bfs',
    needs: ['pages'],
    bids: () => ({ urls: new Uint32Array(0), gains: new Float64Array(0) }),
  })
  const registry = REGISTRY.with([mine])
  expect(registry.named('bfs')).toBe(mine)
  expect(registry.all().length).toBe(REGISTRY.all().length)
  expect(REGISTRY.named('bfs')?.task).toBe('acquire')
})

test('a bidder answers to the name it had once', () => {
  expect(REGISTRY.named('clicks')).toBe(REGISTRY.named('views'))
  expect(REGISTRY.named('uc-clicks')).toBe(REGISTRY.named('uc-views'))
  expect(renamedTo('clicks')).toBe('views')
  expect(renamedTo('views')).toBeUndefined()
  expect(REGISTRY.named('constructor')).toBeUndefined()
})
