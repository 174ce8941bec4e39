import { expect, test } from 'vitest'
import { barChart } from './bar-chart.ts'

const OPTIONS = { title: 'Pages', yLabel: 'pages', partNames: ['stable', 'churn'] }

interface Box {
  readonly x: number
  readonly width: number
}
const boxesIn = (svg: string): Box[] =>
  [...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="18"[^>]*><title>/g)].map(
    ([, x, width]) => ({ x: Number(x), width: Number(width) }),
  )

test('parts stand one after the other, their lengths in proportion', () => {
  const [stable, churn, ...others] = boxesIn(
    barChart([{ name: 'pagerank', parts: [30, 10] }], OPTIONS),
  )
  expect(others).toEqual([])
  expect(stable.x + stable.width).toBeLessThanOrEqual(churn.x)
  expect((stable.width + 1) / (churn.width + 1)).toBeCloseTo(3, 1)
})

test('a name as long as a sentence is inside the picture, and so is every bar', () => {
  const name = 'split:50/50/0:bfs,uniform,none, as others would have it'
  const svg = barChart(
    [
      { name, parts: [30, 10] },
      { name: 'b', parts: [1, 1] },
    ],
    OPTIONS,
  )
  const [, x] = /<text x="(\d+)" y="[\d.]+" class="name">split/.exec(svg)!.map(Number)
  expect(x + 6.5 * name.length).toBeLessThanOrEqual(400)
  for (const box of boxesIn(svg)) expect(box.x + box.width).toBeLessThanOrEqual(400)
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

test('bars of wholes do not all say that they are one', () => {
  const sums = (bars: Parameters<typeof barChart>[0]) =>
    barChart(bars, { ...OPTIONS, yLabel: 'share' }).match(/">1<\/text>/g)?.length ?? 0
  const whole = { name: 'a', parts: [0.3, 0.7] }
  const axis = sums([whole, { name: 'b', parts: [0.9, 0.1] }])
  expect(sums([whole, { name: 'b', parts: [0.5, 0.1] }])).toBe(axis + 1)
})
