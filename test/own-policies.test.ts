import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPolicyFiles } from '#library/open/policy-file.ts'
import { firstOf } from '#numeric/cases.test-kit.ts'
import { variedFacts } from '#policy/facts/varied-facts.test-kit.ts'
import { obeysTheContract, twice } from '#policy/registry/bidder-contract.test-kit.ts'
import { forager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const EXAMPLES = ['news-sections-first', 'young-hosts-first'].map((name) =>
  join(import.meta.dirname, '..', 'examples', `${name}.ts`),
)
const [NEWS, YOUNG] = EXAMPLES
const { own } = await readPolicyFiles(EXAMPLES)
const { archive, inFolder } = modelWebFolder(5)

for (const [kind, factsOf] of Object.entries(variedFacts()))
  describe(`with ${kind}`, () => {
    const facts = twice(factsOf)
    for (const bidder of own) obeysTheContract(bidder, kind, facts)
  })

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await forager(...args, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

interface Fetch {
  readonly url: string
  readonly purpose: string
  readonly why: string
}

test('a crawl goes by a policy of your own, and plan and explain tell of it', async () => {
  const dir = inFolder('crawl')
  const shared = ['--archive', archive, '--dir', dir, '--policy-file', NEWS]
  await run('crawl', ...shared, '--at', '0', '--budget', '60')
  // Weeks later, all copies are old enough to be fetched again.
  await run('crawl', ...shared, '--at', '4', '--budget', '100')
  expect(await run('status', '--dir', dir)).toMatchObject({ policy: 'news-sections-first' })

  const policy = 'split:0/100/0:none,news-sections-first,none'
  const flags = ['--dir', dir, '--policy-file', NEWS, '--fresh-for', '1s']
  const planned = await run('plan', ...flags, '--policy', policy, '--fetches', '30')
  const fetches = planned.fetches as Fetch[]
  expect(fetches.length).toBe(30)
  // What sites name comes first under any policy.
  const copies = fetches.filter(({ why }) => !/^a sitemap that/.test(why))
  expect(copies.length).toBeGreaterThan(15)
  expect(copies.every(({ purpose }) => purpose === 'refresh')).toBe(true)
  expect(copies.every(({ why }) => /news section|elsewhere/.test(why))).toBe(true)
  const explained = await run('explain', copies[0].url, ...flags, '--policy', policy)
  expect(explained).toMatchObject({ policy, bid: { place: 1, planned: true } })

  const { code, stderr } = await forager('plan', '--dir', dir)
  expect(code).toBe(2)
  expect(stderr).toContain('name its file with --policy-file')
})

test('what a policy of your own is called, and what it is for, is checked', async () => {
  const dir = inFolder('other')
  const begin = (...args: string[]) =>
    forager('crawl', '--archive', archive, '--dir', dir, '--budget', '5', ...args)
  const unknown = await begin('--policy', 'news-sections-frist', '--policy-file', NEWS)
  expect(unknown.stderr).toMatch(/Did you mean news-sections-first\?/)
  const wrongTask = await begin('--policy', 'split:1/1/0:news-sections-first,none,none', '--policy-file', NEWS) // biome-ignore format: one line
  expect(wrongTask.stderr).toMatch(/for new pages may bid .* not "news-sections-first"/)
  const two = await begin('--policy-file', NEWS, '--policy-file', YOUNG)
  expect(two.stderr).toMatch(/names 2 policies: choose one with --policy/)
})

/** Every experiment that compares policies, with an example that it can run. */
const EXPERIMENTS: readonly (readonly [experiment: string, file: string, flags: string])[] = [
  ['selection', YOUNG, '--policies bfs --sizes 20'],
  ['iterate', YOUNG, '--policies pagerank --sizes 50 --iterations 1'],
  ['ordering', YOUNG, '--policies bfs --setting sample --dataset 1 --splits 1'],
  ['refresh', NEWS, '--policies uniform --protocols online --budgets 5 --scoring tfidf'],
  ['budget', NEWS, '--policies unified --budgets 5 --queries repeated --splits 1'],
  ['discovery', NEWS, '--budgets 5 --periods 1'],
  ['live', YOUNG, '--policies bfs --budget 5'],
  ['weeks', NEWS, '--policies uniform --budget 5'],
]

/** Every experiment in CI, by default the quickest to show that it works. */
const TRIED = firstOf(2, EXPERIMENTS)

test.each(TRIED)('lab run %s compares it with ours', async (experiment, file, flags) => {
  const out = inFolder(`${experiment}.json`)
  const { code, stderr } = await forager(
    ...['lab', 'run', experiment, '--archive', archive, '--policy-file', file],
    ...[...flags.split(' '), '--out', out],
  )
  expect(code, stderr).toBe(0)
  const name = file === NEWS ? 'news-sections-first' : 'young-hosts-first'
  expect(readFileSync(out, 'utf8')).toContain(`"${name}"`)
})

test('an experiment that can do nothing with a policy says why', async () => {
  const select = ['lab', 'run', 'selection', '--archive', archive, '--policies', 'bfs']
  const { code, stderr } = await forager(...select, '--policy-file', NEWS)
  expect(code).toBe(2)
  expect(stderr).toContain('news-sections-first bids to refresh, and this experiment compares')
})
