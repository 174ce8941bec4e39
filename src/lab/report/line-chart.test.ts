import { expect, test } from 'vitest'
import { lineChart, type Series } from './line-chart.ts'
import { COLOURS, styleOf } from './series-style.ts'

const OPTIONS = { title: 'Quality', xLabel: 'pages', yLabel: 'maxNDCG' }
const line = (name: string, ...heights: number[]): Series => ({
  name,
  points: heights.map((y, i) => [10 * (i + 1), y] as const),
})
const numbersIn = (path: string) => path.match(/-?[\d.]+/g)!.map(Number)

test('a chart names its title, axes and series, whatever signs they have', () => {
  const svg = lineChart([line('a<b', 0.1, 0.2), line('pagerank@x', 0.3, 0.4)], {
    ...OPTIONS,
    title: 'R&D',
  })
  expect(svg).toMatch(/^<svg viewBox="0 0 \d+ \d+" role="img" aria-label="R&amp;D">/)
  for (const words of ['R&amp;D', 'pages', 'maxNDCG', 'a&lt;b', 'pagerank@x'])
    expect(svg).toContain(`>${words}<`)
  expect(svg).not.toContain('NaN')
})

test('higher values stand higher, and the wider on the right', () => {
  const [, path] = /<path d="(M[^"]+)" class="line"/.exec(
    lineChart([line('a', 0.1, 0.9)], OPTIONS),
  )!
  const [x0, y0, x1, y1] = numbersIn(path)
  expect(x1).toBeGreaterThan(x0)
  expect(y1).toBeLessThan(y0)
})

test('a band encloses its line', () => {
  const band = [
    [0.05, 0.15],
    [0.8, 0.95],
  ] as const
  const svg = lineChart([{ ...line('a', 0.1, 0.9), band }], OPTIONS)
  const [, drawn] = /<path d="(M[^"]+Z)"[^>]*class="band"/.exec(svg)!
  const [, high0, , high1, , low1, , low0] = numbersIn(drawn)
  const [, path] = /<path d="(M[^"]+)" class="line"/.exec(svg)!
  const [, y0, , y1] = numbersIn(path)
  for (const [high, y, low] of [
    [high0, y0, low0],
    [high1, y1, low1],
  ]) {
    expect(high).toBeLessThan(y)
    expect(low).toBeGreaterThan(y)
  }
})

test('twenty series differ in colour, or else in both dash and mark', () => {
  const styles = Array.from({ length: 20 }, (_, index) => styleOf(index))
  styles.forEach((one, i) => {
    for (const other of styles.slice(0, i)) {
      if (one.colour !== other.colour) continue
      expect(one.dash).not.toBe(other.dash)
      expect(one.mark).not.toBe(other.mark)
    }
  })
  expect(COLOURS.length).toBe(8)
})

test('every name of a long legend is inside the picture', () => {
  const series = Array.from({ length: 40 }, (_, i) => line(`pagerank@domains-score-${i}`, 0.1, 0.2))
  const svg = lineChart(series, OPTIONS)
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number)
  const names = [...svg.matchAll(/<text x="(\d+)" y="(\d+)" class="name">([^<]*)</g)]
  expect(names.length).toBe(40)
  for (const [, x, y, name] of names) {
    expect(Number(x) + 6.5 * name.length).toBeLessThanOrEqual(width)
    expect(Number(y)).toBeLessThan(height)
  }
})

test('a long title is shown whole, in as many lines as it takes', () => {
  const title =
    'Shortfall of one budget as a share of that of the best split that others would choose'
  const svg = lineChart([line('a', 0.1, 0.2)], { ...OPTIONS, title })
  const lines = [...svg.matchAll(/class="title">([^<]*)</g)].map(([, words]) => words)
  expect(lines.join(' ')).toBe(title)
  for (const words of lines) expect(8.2 * words.length).toBeLessThanOrEqual(400)
})

test('a ceiling is drawn across, and one point or none breaks nothing', () => {
  const ceiling = { name: 'all', y: 0.9 }
  const svg = lineChart([line('a', 0.5)], { ...OPTIONS, logX: true, ceiling })
  expect(svg).toMatch(/stroke-dasharray="4 4"[\s\S]*>all</)
  expect(svg).not.toMatch(/NaN|Infinity/)
  expect(lineChart([], OPTIONS)).toBe('<p>Quality: no data</p>')
})
