import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { Sandbox } from '../../crawls/sandbox.ts'
import { selectionNamed } from '../../selection/selection.ts'
import { type IterateSetup, runIterate } from './iterate.ts'

const pageOf = (name: string) => `http://${name}.example/`
const linksTo = (...names: string[]) => ({
  live: [0, 0] as const,
  links: names.map((name): [string, string] => [pageOf(name), name]),
})
// The first crawl holds start, a and b. All link to the hub, which alone links to the prize.
const web = new RecordedWeb(
  archiveOf(
    smallArchive(1, {
      [pageOf('start')]: [linksTo('a', 'b', 'hub')],
      [pageOf('a')]: [linksTo('hub', 'dead')],
      [pageOf('b')]: [linksTo('hub', 'dead')],
      [pageOf('hub')]: [linksTo('prize', 'start')],
      [pageOf('prize')]: [linksTo('start')],
    }),
  ),
  0,
)
const setup: IterateSetup = {
  web,
  workload: {
    queries: [{ id: 'q', text: 'prize', weight: 1 }],
    judgments: [{ queryId: 'q', url: pageOf('prize'), grade: 3 }],
    clicks: [],
  },
  recipes: [selectionNamed('indegree'), selectionNamed('random')],
  size: 3,
  iterations: 4,
  seed: 1,
}

test('the first corpus is breadth-first, and all policies begin with it', () => {
  const rows = runIterate(setup).rows.filter(({ iteration }) => iteration === 0)
  expect(rows.map(({ size, fetched, maxNdcg }) => [size, fetched, maxNdcg])).toEqual([
    [3, 3, 0],
    [3, 3, 0],
  ])
})

test('a selection knows only what its own corpus before links to', () => {
  const { rows } = runIterate({ ...setup, recipes: [selectionNamed('indegree')], size: 2 })
  // start and a are held: the hub (2 links), then one of a, b, dead (1 each). The prize is known only
  // once the hub is held.
  expect(rows[1].maxNdcg).toBe(0)
  expect(rows.slice(2).some(({ maxNdcg }) => maxNdcg === 1)).toBe(true)
  expect(rows[1].helpful).toBe(0)
})

test('a selection by clicks wants clicks, and one will do', () => {
  const recipes = [selectionNamed('indegree@clicks-rank-1')]
  expect(() => runIterate({ ...setup, recipes })).toThrow('needs clicks')
  const clicks = [{ url: pageOf('hub'), clicks: 1 }]
  const workload = { ...setup.workload, clicks }
  expect(runIterate({ ...setup, recipes, workload }).rows).toHaveLength(5)
})

test('what is selected and not there is requested once and held never', () => {
  const { rows, sandbox } = runIterate({ ...setup, recipes: [selectionNamed('indegree')] })
  // hub 3, dead 2, one of a and b: the dead page costs a place.
  expect(rows[1]).toMatchObject({ size: 3, fetched: 2 })
  expect(sandbox).toBeLessThanOrEqual(6)
})

test('codes tell presence in the last three corpora, and likeness compares neighbours', () => {
  const { rows } = runIterate(setup)
  for (const row of rows) {
    if (row.iteration < 3) expect(row.codes).toBeNull()
    else expect(Object.keys(row.codes!)).toHaveLength(7)
    if (row.iteration > 0) expect(row.jaccardPrevious).toBeGreaterThanOrEqual(0)
  }
})

test('a run is repeated exactly by its seed', () => {
  expect(runIterate(setup)).toEqual(runIterate(setup))
  expect(runIterate({ ...setup, seed: 2 })).not.toEqual(runIterate(setup))
})

test('every pair of policies is compared at every iteration', () => {
  const { likenesses } = runIterate(setup)
  expect(likenesses.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4])
  expect(likenesses[0].policies).toEqual(['indegree', 'random'])
})

test("a corpus's graph has its own links only, its pages first", () => {
  const sandbox = new Sandbox(web)
  const corpus = sandbox.breadthFirst(2)
  sandbox.gives(sandbox.add(pageOf('hub')))
  const { urls, facts } = sandbox.graphOf(corpus, 1)
  const names = Array.from(urls, (url) => sandbox.urlOf(url))
  expect(names).toEqual(['start', 'a', 'b', 'hub', 'dead'].map(pageOf))
  expect([...facts.visits]).toEqual([0, 1])
  expect([...facts.links.offsets]).toEqual([0, 3, 5, 5, 5, 5])
  expect([...facts.depths]).toEqual([0, 1, 1, 1, 2])
})
