import { expect, test } from 'vitest'
import { lineChart } from './line-chart.ts'
import { reportPage, standaloneSvg } from './report-page.ts'

const chart = lineChart([{ name: 'a', points: [[1, 2]] }], { title: 't', xLabel: 'x', yLabel: 'y' })
const provenance = {
  command: 'forager lab run selection --archive <web>',
  seed: 7,
  version: '1.2.3',
  commit: '0123456789abcdef',
  archives: ['one', 'two'],
}

test('a report holds its pictures, its numbers and how it was made, and loads nothing', () => {
  const html = reportPage({
    title: 'A & B',
    intro: 'What is shown.',
    charts: [chart],
    tables: [{ caption: 'Numbers', header: ['policy', 'pages'], rows: [['<b>', 12345.678]] }],
    provenance,
  })
  expect(html).toContain('<title>A &amp; B</title>')
  expect(html).toContain(chart)
  // On a phone a table is wider than the screen, and its title is not.
  expect(html).toContain('<caption><span>Numbers</span></caption>')
  expect(html).toMatch(/caption span\{[^}]*max-width:calc\(100vw - /)
  expect(html).toContain('<td>&lt;b&gt;</td><td class="number">12,346</td>')
  expect(html).toContain('forager lab run selection --archive &lt;web&gt;')
  expect(html).toContain('Seed 7; Forager 1.2.3 (commit 0123456789ab); archives: one, two.')
  expect(html).not.toMatch(/https?:|@import|url\(|<script|<link/)
})

test('a column with a dash among its numbers is still one of numbers', () => {
  const tables = [{ caption: 'c', header: ['n'], rows: [['–'], [1200]] }]
  const html = reportPage({ title: '', intro: '', charts: [], tables, provenance })
  expect(html).toContain('<th scope="col" class="number">n</th>')
  expect(html).toContain('<td class="number">–</td>')
  expect(html).toContain('<td class="number">1,200</td>')
})

test('a chart on its own brings its style and a white ground', () => {
  const svg = standaloneSvg(chart)
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="400" height="\d+" viewBox="0 0 400 \d+"[^>]*><style>/,
  )
  expect(svg).toContain('fill="#fff"')
  expect(svg.match(/<svg/g)?.length).toBe(1)
})
