import { expect, test } from 'vitest'
import { overArchives } from './rows.ts'
import { showViews } from './show-views.ts'

interface Row {
  readonly archive: string
  readonly policy: string
  readonly size: number
  readonly quality: number | null
}
const row = (archive: string, policy: string, size: number, quality: number | null): Row => ({
  archive,
  policy,
  size,
  quality,
})
type Found = { readonly rows: readonly Row[] }
const AXES = { title: 'Q', x: 'size', y: 'quality', xLabel: 'size', yLabel: 'quality' } as const
const tooltips = (svg: string) => [...svg.matchAll(/<title>([^<]*)</g)].map(([, words]) => words)

test('a line for each policy; rows of one point are averaged, and rows without a number left out', () => {
  const rows = [
    row('a', 'bfs', 10, 0.2),
    row('b', 'bfs', 10, 0.4),
    row('a', 'bfs', 20, null),
    row('a', 'pagerank', 20, 0.5),
  ]
  const { charts } = showViews<Found>([{ as: 'lines', of: 'rows', ...AXES }], { rows })
  expect(tooltips(charts[0]).slice(0, 2)).toEqual([
    'bfs: 10, 0.30000000000000004',
    'pagerank: 20, 0.5',
  ])
})

test('lines of one point each become bars, and a bar that would stand alone is not drawn', () => {
  const views = [{ as: 'lines', of: 'rows', ...AXES }] as const
  const both = showViews<Found>(views, { rows: [row('a', 'bfs', 9, 0.2), row('a', 'x', 9, 0.3)] })
  expect(tooltips(both.charts[0])).toEqual(['bfs, quality: 0.2', 'x, quality: 0.3'])
  expect(showViews<Found>(views, { rows: [row('a', 'bfs', 9, 0.2)] }).charts).toEqual([])
  expect(showViews<Found>(views, { rows: [] }).charts).toEqual([])
})

test('a table can have a line for each row, or a column for each value of a field', () => {
  const rows = [row('a', 'bfs', 10, 0.2), row('a', 'x', 10, null), row('b', 'bfs', 10, 0.4)]
  const { tables } = showViews<Found>(
    [
      {
        as: 'table',
        of: 'rows',
        caption: 'all',
        each: 'archive',
        columns: ['policy', ['q', 'quality']],
      },
      {
        as: 'table',
        of: 'rows',
        caption: (some) => `${some.length} rows`,
        columns: ['archive'],
        across: { by: 'policy', cell: ([{ quality }]) => quality },
        isDetail: true,
      },
    ],
    { rows },
  )
  expect(tables).toEqual([
    {
      caption: 'a: all',
      header: ['policy', 'q'],
      rows: [
        ['bfs', 0.2],
        ['x', '–'],
      ],
    },
    { caption: 'b: all', header: ['policy', 'q'], rows: [['bfs', 0.4]] },
    {
      caption: '3 rows',
      header: ['archive', 'bfs', 'x'],
      rows: [
        ['a', 0.2, '–'],
        ['b', 0.4, '–'],
      ],
      isDetail: true,
    },
  ])
})

test('a picture of one archive is not called a mean over archives', () => {
  const view = {
    ...AXES,
    as: 'lines',
    of: 'rows',
    title: (rows: readonly Row[]) => `Q, ${overArchives(rows)}`,
  } as const
  const chartOf = (...archives: string[]) =>
    showViews<Found>([view], {
      rows: archives.flatMap((archive) => [row(archive, 'p', 1, 0.5), row(archive, 'p', 2, 0.6)]),
    }).charts[0]
  expect(chartOf('web')).toContain('Q, web')
  expect(chartOf('web', 'other')).toContain('Q, mean over archives')
})
