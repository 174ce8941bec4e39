import { expect, test } from 'vitest'
import { crawlState } from '#crawl/plan-cycle.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { PageIndexer } from '#learn/text-index/index-pages.ts'
import type { CrawlNote } from './crawl-note.ts'
import { checkUntilGain, policyInForce } from './policy-in-force.ts'

const bare = { state: crawlState(new Frontier()), lastPolicy: undefined }
const indexed = { ...bare, state: { ...bare.state, indexer: {} as PageIndexer } }

/** What is said meanwhile. */
function listener() {
  const notes: CrawlNote[] = []
  return { notes, note: (note: CrawlNote) => void notes.push(note) }
}

test('the default needs an index; without one it gives way, and says so', () => {
  const heard = listener()
  expect(policyInForce(undefined, indexed, heard.note)).toBe('unified')
  expect(heard.notes).toEqual([])
  expect(policyInForce(undefined, bare, heard.note)).toBe('pagerank')
  expect(heard.notes).toEqual([{ kind: 'policy without index', policy: 'pagerank' }])
})

test('who chose a policy gets it, or is told that it cannot be', () => {
  const heard = listener()
  expect(policyInForce('unified', bare, heard.note)).toBe('unified')
  expect(policyInForce('bfs', bare, heard.note)).toBe('bfs')
  expect(heard.notes).toEqual([])
})

test('a directory is crawled on as it was, unless somebody chooses otherwise', () => {
  const heard = listener()
  const before = { ...indexed, lastPolicy: 'pagerank' }
  expect(policyInForce(undefined, before, heard.note)).toBe('pagerank')
  expect(heard.notes).toEqual([{ kind: 'policy as before', policy: 'pagerank' }])
  expect(policyInForce('unified', before, heard.note)).toBe('unified')
  expect(policyInForce(undefined, { ...bare, lastPolicy: 'impact' }, heard.note)).toBe('pagerank')
})

test('untilGain needs a policy that expects gains in quality', () => {
  const heard = listener()
  for (const policy of ['bfs', 'uniform', 'split:50/50/0:bfs,uniform,none'])
    expect(() => checkUntilGain(0.1, policy, indexed, heard.note)).toThrow(
      `untilGain needs a policy that expects gains in quality, and ${policy} does not: choose policy unified`,
    )
  expect(() => checkUntilGain(undefined, 'bfs', indexed, heard.note)).not.toThrow()
  expect(heard.notes).toEqual([])
})

test('untilGain needs the index, whatever the policy', () => {
  for (const policy of ['unified', 'pagerank'])
    expect(() => checkUntilGain(0.1, policy, bare, listener().note)).toThrow(
      /it needs the index: leave out index: false/,
    )
})

test('untilGain cannot stop a crawl whose gains nobody measures', () => {
  const heard = listener()
  checkUntilGain(0.1, 'unified', indexed, heard.note)
  expect(heard.notes).toEqual([{ kind: 'gains not measured' }])
})
