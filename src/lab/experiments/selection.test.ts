import { expect, test } from 'vitest'
import { archiveOf } from '#repository/archive/assemble-archive.ts'
import { smallArchive } from '#repository/archive/small-archive.test-kit.ts'
import { corpusGraph } from '../corpus-graph.ts'
import { RecordedWeb } from '../recorded-web.ts'
import { runSelection, type SelectionSetup } from './selection.ts'

const pageOf = (name: string) => `http://${name}.example/`
const linksTo = (...names: string[]) => ({
  live: [0, 0] as const,
  links: names.map((name): [string, string] => [pageOf(name), name]),
})
// Everybody links to the star, which is found last.
const archive = archiveOf(
  smallArchive(1, {
    [pageOf('start')]: [linksTo('x', 'y', 'z')],
    [pageOf('x')]: [linksTo('star')],
    [pageOf('y')]: [linksTo('star')],
    [pageOf('z')]: [linksTo('star', 'x')],
    [pageOf('star')]: [linksTo()],
  }),
)
const graph = corpusGraph(new RecordedWeb(archive, 0), { seed: 1 })
const setup: SelectionSetup = {
  archiveId: 'small',
  graph,
  workload: {
    queries: [{ id: 'q', text: 'star', weight: 1 }],
    judgments: [
      { queryId: 'q', url: 'http://STAR.example', grade: 4 },
      { queryId: 'q', url: pageOf('nowhere'), grade: 1 },
    ],
    clicks: [
      { url: pageOf('star'), clicks: 5 },
      { url: pageOf('start'), clicks: 1 },
    ],
  },
  policies: ['bfs', 'indegree'],
  sizes: [1, 2, 9],
  seed: 1,
}

test('in-degree finds the star at once, breadth-first last', () => {
  const { result, selectedUrls } = runSelection(setup)
  const best = 31 / Math.log2(2) / (31 / Math.log2(2) + 3 / Math.log2(3))
  expect(result).toEqual({
    experiment: 'selection',
    archive: 'small',
    rows: [
      { policy: 'bfs', size: 1, selected: 1, maxNdcg: 0, clicks: 1 },
      { policy: 'bfs', size: 2, selected: 2, maxNdcg: 0, clicks: 1 },
      { policy: 'bfs', size: 9, selected: 5, maxNdcg: best, clicks: 6 },
      { policy: 'indegree', size: 1, selected: 1, maxNdcg: best, clicks: 5 },
      { policy: 'indegree', size: 2, selected: 2, maxNdcg: best, clicks: 5 },
      { policy: 'indegree', size: 9, selected: 5, maxNdcg: best, clicks: 6 },
    ],
  })
  expect(selectedUrls(result.rows[1])).toEqual([pageOf('start'), pageOf('x')])
  expect(selectedUrls(result.rows[4])).toEqual([pageOf('star'), pageOf('x')])
})

test('a limited base crawl is continued in the order of discovery', () => {
  const limited = corpusGraph(new RecordedWeb(archive, 0), { seed: 1, base: 1 })
  const { result, selectedUrls } = runSelection({
    ...setup,
    graph: limited,
    policies: ['bfs'],
    sizes: [3],
  })
  expect(selectedUrls(result.rows[0])).toEqual(['start', 'x', 'y'].map(pageOf))
})

test('equal scores are drawn by lot, the same lots for the same seed', () => {
  const pages = Array.from({ length: 40 }, (_, n) => `p${n}`)
  const flat = archiveOf(smallArchive(1, { [pageOf('start')]: [linksTo(...pages)] }))
  const flatGraph = corpusGraph(new RecordedWeb(flat, 0), { seed: 1 })
  const select = (seed: number) => {
    const run = runSelection({
      ...setup,
      graph: flatGraph,
      policies: ['indegree'],
      sizes: [10, 20],
      seed,
    })
    return run.result.rows.map((row) => run.selectedUrls(row))
  }
  expect(select(1)).toEqual(select(1))
  expect(select(1)).not.toEqual(select(2))
  expect(select(1)[1].slice(0, 10)).toEqual(select(1)[0])
})

test('an empty workload gives no scores, and progress is told', () => {
  const told: unknown[] = []
  const { result } = runSelection({
    ...setup,
    workload: { queries: [], judgments: [], clicks: [] },
    sizes: [2],
    onProgress: (progress) => told.push(progress),
  })
  expect(result.rows[0]).toEqual({
    policy: 'bfs',
    size: 2,
    selected: 2,
    maxNdcg: null,
    clicks: null,
  })
  expect(told).toEqual([
    { policy: 'bfs', done: 1, of: 2 },
    { policy: 'indegree', done: 2, of: 2 },
  ])
})

test('an unknown policy is refused before any work', () => {
  expect(() => runSelection({ ...setup, policies: ['bfs', 'magic'] })).toThrow(/magic/)
})
