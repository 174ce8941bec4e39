import { expect, test } from 'vitest'
import { barChart } from './bar-chart.ts'

const OPTIONS = { title: 'Pages', yLabel: 'pages', partNames: ['stable', 'churn'] }

test('parts are stacked, their heights in proportion', () => {
  const svg = barChart([{ name: 'pagerank', parts: [30, 10] }], OPTIONS)
  const parts = [
    ...svg.matchAll(/<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"[^>]*><title>/g),
  ].map(([, y, height]) => ({ y: Number(y), height: Number(height) }))
  const [stable, churn] = parts
  expect(parts.length).toBe(2)
  expect(churn.y + churn.height).toBeLessThanOrEqual(stable.y)
  expect((stable.height + 1) / (churn.height + 1)).toBeCloseTo(3, 1)
})

test('bars and parts are named, with values as tooltips', () => {
  const svg = barChart(
    [
      { name: 'a&b', parts: [3, 0] },
      { name: 'c', parts: [0, 0] },
    ],
    OPTIONS,
  )
  expect(svg).toContain('<title>a&amp;b, stable: 3</title>')
  for (const name of ['a&amp;b', 'c', 'stable', 'churn']) expect(svg).toContain(`>${name}</text>`)
  expect(svg).not.toMatch(/NaN|Infinity/)
})

test('without bars there is nothing to see', () => {
  expect(barChart([], OPTIONS)).toBe('<p>Pages: no data</p>')
})
