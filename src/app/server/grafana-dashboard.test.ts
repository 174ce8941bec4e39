import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CrawlMetrics } from './crawl-metrics.ts'

test('the dashboard asks for metrics that there are, and for most of them', () => {
  const text = readFileSync('deploy/grafana-dashboard.json', 'utf8')
  const { panels } = JSON.parse(text)
  const asked = new Set(text.match(/\b(?:forager|process)_[a-z_]+/g))
  const now = { spent: 0, bytes: 0, gained: 0, known: 0, waiting: 0, inFlight: 0, paused: false }
  const counted = { outcomes: new Map(), tasks: { acquire: 0, refresh: 0, discover: 0 } }
  const known = new CrawlMetrics(0).families({ ...now, ...counted }).map(({ name }) => name)
  const isKnown = (name: string) => known.includes(name.replace(/_bucket$/, ''))
  expect([...asked].filter((name) => !isKnown(name))).toEqual([])
  expect(panels.length).toBeGreaterThan(10)
})
