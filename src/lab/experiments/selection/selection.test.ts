import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { corpusGraph } from '../../crawls/corpus-graph.ts'
import { selectionNamed } from '../../selection/selection.ts'
import { prepareSelection, type SelectionSetup } from './selection.ts'

const pageOf = (name: string) => `http://${name}.example/`
const linksTo = (...names: string[]) => ({
  live: [0, 0] as const,
  links: names.map((name): [string, string] => [pageOf(name), name]),
})
// Everybody links to the star, which is found last; what z links to is not there.
const archive = archiveOf(
  smallArchive(1, {
    [pageOf('start')]: [linksTo('x', 'y', 'z')],
    [pageOf('x')]: [linksTo('star')],
    [pageOf('y')]: [linksTo('star')],
    [pageOf('z')]: [linksTo('star', 'x', 'dead')],
    [pageOf('star')]: [linksTo()],
  }),
)
const web = new RecordedWeb(archive, 0)
const setup: SelectionSetup = {
  graph: corpusGraph(web, { seed: 1 }),
  workload: {
    queries: [{ id: 'q', text: 'star', weight: 1 }],
    judgments: [
      { queryId: 'q', url: 'http://STAR.example', grade: 4 },
      { queryId: 'q', url: pageOf('dead'), grade: 1 },
      { queryId: 'q', url: pageOf('nowhere'), grade: 1 },
    ],
    clicks: [
      { url: pageOf('star'), clicks: 5 },
      { url: pageOf('start'), clicks: 1 },
    ],
  },
  seed: 1,
  answers: (url) => web.find(url).kind === 'page',
}
const ideal = 31 + 3 / Math.log2(3) + 3 / Math.log2(4)

test('in-degree finds the star at once, breadth-first late', () => {
  const lab = prepareSelection(setup)
  const bfs = lab.attempt(selectionNamed('bfs'), [1, 2, 9])
  const indegree = lab.attempt(selectionNamed('indegree'), [1, 2, 9])
  const numbers = ({ rows }: typeof bfs) =>
    rows.map(({ size, selected, maxNdcg, clicks }) => [size, selected, maxNdcg, clicks])
  const all = (31 + 3 / Math.log2(3)) / ideal
  expect(numbers(bfs)).toEqual([
    [1, 1, 0, 1],
    [2, 2, 0, 1],
    [9, 6, all, 6],
  ])
  expect(numbers(indegree)).toEqual([
    [1, 1, 31 / ideal, 5],
    [2, 2, 31 / ideal, 5],
    [9, 6, all, 6],
  ])
  expect(bfs.selectedUrls(bfs.rows[1])).toEqual([pageOf('start'), pageOf('x')])
  expect(indegree.selectedUrls(indegree.rows[1])).toEqual([pageOf('star'), pageOf('x')])
})

test('what no fetch gives is requested but not had', () => {
  const [row] = prepareSelection(setup).attempt(selectionNamed('indegree'), [9]).rows
  expect(row.maxNdcg).toBe((31 + 3 / Math.log2(3)) / ideal)
  expect(row.actualMaxNdcg).toBe(31 / ideal)
})

test('the first page of all is had too', () => {
  const judgments = [{ queryId: 'q', url: pageOf('start'), grade: 4 }]
  const lab = prepareSelection({ ...setup, workload: { ...setup.workload, judgments } })
  expect(lab.attempt(selectionNamed('bfs'), [1]).rows[0].actualMaxNdcg).toBe(1)
})

test('no selection passes the ceiling, and one of everything reaches it', () => {
  const { ceiling, attempt } = prepareSelection(setup)
  const [row] = attempt(selectionNamed('pagerank'), [9]).rows
  expect(ceiling).toEqual({ known: 6, maxNdcg: row.maxNdcg, queries: 1, dropped: 0 })
  expect(row.pageRankMass).toBeCloseTo(1, 12)
})

test('a limited base crawl is continued in the order of discovery', () => {
  const limited = corpusGraph(web, { seed: 1, base: 1 })
  const { rows, selectedUrls } = prepareSelection({ ...setup, graph: limited }).attempt(
    selectionNamed('bfs'),
    [3],
  )
  expect(selectedUrls(rows[0])).toEqual(['start', 'x', 'y'].map(pageOf))
})

test('equal scores come in random order, the same for the same seed', () => {
  const pages = Array.from({ length: 40 }, (_, n) => `p${n}`)
  const flat = archiveOf(smallArchive(1, { [pageOf('start')]: [linksTo(...pages)] }))
  const graph = corpusGraph(new RecordedWeb(flat, 0), { seed: 1 })
  const select = (seed: number) => {
    const run = prepareSelection({ ...setup, graph, seed }).attempt(
      selectionNamed('indegree'),
      [10, 20],
    )
    return run.rows.map((row) => run.selectedUrls(row))
  }
  expect(select(1)).toEqual(select(1))
  expect(select(1)).not.toEqual(select(2))
  expect(select(1)[1].slice(0, 10)).toEqual(select(1)[0])
})

test('an empty workload gives no scores', () => {
  const workload = { queries: [], judgments: [], clicks: [] }
  const lab = prepareSelection({ ...setup, workload })
  expect(lab.hasClicks).toBe(false)
  expect(lab.attempt(selectionNamed('bfs'), [2]).rows[0]).toMatchObject({
    policy: 'bfs',
    size: 2,
    selected: 2,
    maxNdcg: null,
    ciLow: null,
    ciHigh: null,
    actualMaxNdcg: null,
    clicks: null,
  })
})
