import { expect, test } from 'vitest'
import { scatterChart } from './scatter-chart.ts'

const OPTIONS = { title: 'Gains', xLabel: 'before', yLabel: 'after' }

test('equal coordinates lie on the diagonal, larger ones to the right and higher', () => {
  const svg = scatterChart([{ name: 'pages', points: [[1, 1], [100, 100]] }], OPTIONS) // biome-ignore format: two points
  const dots = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="2"/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ])
  const [, x1, y1, x2, y2] =
    /<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)" class="axis"/
      .exec(svg)!
      .map(Number)
  expect(dots[0]).toEqual([x1, y1])
  expect(dots[1]).toEqual([x2, y2])
})

test('what a logarithm cannot take lies on the edge, and nothing at all is not drawn', () => {
  const svg = scatterChart([{ name: 'pages', points: [[0, 1], [2, 3], [0, 0]] }], OPTIONS) // biome-ignore format: three points
  const xs = [...svg.matchAll(/<circle cx="([\d.]+)" cy="[\d.]+" r="2"/g)].map(([, x]) => Number(x))
  expect(xs.length).toBe(2)
  expect(xs[0]).toBe(64)
  expect(svg).not.toMatch(/NaN|Infinity/)
  expect(scatterChart([], OPTIONS)).toBe('<p>Gains: no data</p>')
})

test('axes of different quantities have ranges of their own, and no diagonal', () => {
  const svg = scatterChart([{ name: 'pages', points: [[1, 10], [100, 20]] }], { ...OPTIONS, ownScales: true }) // biome-ignore format: two points
  const shared = scatterChart([{ name: 'pages', points: [[1, 1], [100, 100]] }], OPTIONS) // biome-ignore format: two points
  const dots = (text: string) =>
    [...text.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="2"/g)].map(([dot]) => dot)
  expect(dots(svg)).toEqual(dots(shared))
  expect(svg).not.toContain('stroke-dasharray')
})
