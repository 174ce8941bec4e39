import { expect, test } from 'vitest'
import { crawlState } from '#crawl/cycle.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { PageIndexer } from '#learn/text-index/index-pages.ts'
import { DEFAULTS } from '#library/settings/settings.ts'
import { checkUntilGain, policyInForce } from './policy-in-force.ts'

const bare = { state: crawlState(new Frontier()), lastPolicy: undefined }
const indexed = { ...bare, state: { ...bare.state, indexer: {} as PageIndexer } }

/** What is said meanwhile. */
function listener() {
  const notes: string[] = []
  return { notes, note: (text: string) => void notes.push(text) }
}

const read = (policy: string, ...given: string[]) => ({
  settings: { ...DEFAULTS, policy },
  given: new Set(given),
})

test('the default needs an index; without one it gives way, and says so', () => {
  const heard = listener()
  expect(policyInForce(read('unified'), indexed, heard)).toBe('unified')
  expect(heard.notes).toEqual([])
  expect(policyInForce(read('unified'), bare, heard)).toBe('pagerank')
  expect(heard.notes).toEqual([expect.stringMatching(/without an index .* --policy pagerank/)])
})

test('who chose a policy gets it, or is told that it cannot be', () => {
  const heard = listener()
  expect(policyInForce(read('unified', 'policy'), bare, heard)).toBe('unified')
  expect(policyInForce(read('bfs', 'policy'), bare, heard)).toBe('bfs')
  expect(heard.notes).toEqual([])
})

test('a directory is crawled on as it was, unless somebody chooses otherwise', () => {
  const heard = listener()
  const before = { ...indexed, lastPolicy: 'pagerank' }
  expect(policyInForce(read('unified'), before, heard)).toBe('pagerank')
  expect(heard.notes).toEqual([expect.stringMatching(/--policy pagerank as in the last run/)])
  expect(policyInForce(read('unified', 'policy'), before, heard)).toBe('unified')
  expect(policyInForce(read('unified'), { ...bare, lastPolicy: 'impact' }, heard)).toBe('pagerank')
})

test('--until-gain needs a policy that expects gains in quality', () => {
  const heard = listener()
  for (const policy of ['bfs', 'uniform', 'split:50/50/0:bfs,uniform,none'])
    expect(() => checkUntilGain(0.1, policy, indexed, heard)).toThrow(
      `--until-gain needs a policy that expects gains in quality, and ${policy} does not: choose --policy unified`,
    )
  expect(() => checkUntilGain(undefined, 'bfs', indexed, heard)).not.toThrow()
  expect(heard.notes).toEqual([])
})

test('--until-gain needs the index, whatever the policy', () => {
  for (const policy of ['unified', 'pagerank'])
    expect(() => checkUntilGain(0.1, policy, bare, listener())).toThrow(
      /it needs the index: leave out --no-index/,
    )
})

test('--until-gain cannot stop a crawl whose gains nobody measures', () => {
  const heard = listener()
  checkUntilGain(0.1, 'unified', indexed, heard)
  expect(heard.notes).toEqual([expect.stringMatching(/no queries are known.*queries import/)])
})
