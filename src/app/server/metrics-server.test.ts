import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { CycleRecord } from '#crawl/ports.ts'
import { Spending } from '#library/status/spending.ts'
import type { Purpose } from '#policy/bids.ts'
import { CrawlMetrics } from './crawl-metrics.ts'
import { startMetricsServer } from './metrics-server.ts'
import { Histogram, prometheusText } from './prometheus-text.ts'

const NOW = {
  budget: 10,
  spent: 3,
  bytes: 700,
  known: 20,
  waiting: 15,
  inFlight: 2,
  paused: false,
  gained: 0.5,
  outcomes: new Map<string, number>(),
  tasks: { acquire: 0, refresh: 0, discover: 0 },
}

test('help, type and samples stand in the text format, with labels escaped', () => {
  const samples = [{ labels: { path: 'a"b\\c\nd' }, value: 1 }, { value: Number.POSITIVE_INFINITY }]
  const family = { name: 'x_total', help: 'Two\nlines.', type: 'counter', samples } as const
  expect(prometheusText([family])).toBe(
    '# HELP x_total Two\\nlines.\n# TYPE x_total counter\nx_total{path="a\\"b\\\\c\\nd"} 1\nx_total +Inf\n',
  )
})

test('a histogram counts cumulatively', () => {
  const histogram = new Histogram([1, 2])
  for (const value of [0.5, 1, 1.5, 9]) histogram.add(value)
  const family = { name: 'h', help: 'h', type: 'histogram', samples: histogram.samples() } as const
  expect(prometheusText([family]).split('\n').slice(2, -1)).toEqual([
    'h_bucket{le="1"} 2',
    'h_bucket{le="2"} 3',
    'h_bucket{le="+Inf"} 4',
    'h_sum 12',
    'h_count 4',
  ])
})

test('outcomes are counted by kind, and hosts that ask for rest too', () => {
  const metrics = new CrawlMetrics(1_000)
  const base = { id: 1, url: 'http://a.test/', at: 1, ms: 20 }
  metrics.countOutcome({ ...base, kind: 'gone', status: 404, bytes: 7 })
  metrics.countOutcome({ ...base, kind: 'failed', reason: 'status 429', status: 429, sent: true })
  metrics.countOutcome({ ...base, kind: 'disallowed', rule: 'Disallow: /' })
  const outcomes = new Map([['gone', 1]])
  const text = prometheusText(metrics.families({ ...NOW, outcomes }))
  for (const line of [
    'forager_fetches_total{outcome="gone"} 1',
    'forager_fetches_total{outcome="page"} 0',
    'forager_received_bytes_total 7',
    'forager_host_backoffs_total 1',
    'forager_fetch_seconds_count 2',
    'forager_budget_fetches 10',
    'forager_waiting_urls 15',
    'forager_in_flight 2',
  ])
    expect(text.split('\n')).toContain(line)
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [-+.\dInfe]+)$/)
})

test('fetches are counted by what they were for, with the price of the last plan that had one', () => {
  const metrics = new CrawlMetrics(1_000)
  const fetched = (purpose: Purpose, probability?: number) => ({
    ...{ purpose, predictedGain: 0, newUrls: 0, changed: true, contentChanged: true, fresh: true },
    ...{ inLinks: 0, ...(probability && { probability }) },
    outcome: { id: 1, url: 'http://a.test/', at: 1, ms: 1, kind: 'gone', status: 404, bytes: 0 },
  })
  const fetches = [fetched('acquire'), fetched('refresh', 0.01), fetched('refresh')]
  const cycle = { cycle: 1, startedAt: 0, endedAt: 1, planned: 3 }
  const record = { ...cycle, fetches, price: 0.25 } as unknown as CycleRecord
  const spending = new Spending()
  for (const one of [record, { ...cycle, fetches: [] }]) {
    metrics.countCycle(one)
    spending.take(one)
  }
  const { tasks, price } = spending
  const lines = prometheusText(metrics.families({ ...NOW, tasks, price })).split('\n')
  for (const line of [
    'forager_task_fetches_total{task="acquire"} 1',
    'forager_task_fetches_total{task="refresh"} 2',
    'forager_task_fetches_total{task="discover"} 0',
    'forager_random_fetches_total 1',
    'forager_price_quality_days 0.25',
    'forager_gained_quality 0.5',
  ])
    expect(lines).toContain(line)
})

test('only the two pages are served, only to GET, and a taken port is a clear mistake', async () => {
  const options = {
    port: 0,
    host: '127.0.0.1',
    metrics: () => [],
    health: () => ({ status: 'ok' }),
  }
  const server = await startMetricsServer(options)
  try {
    const ask = (path: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${server.port}${path}`, { method })
    expect((await ask('/metrics')).headers.get('content-type')).toMatch(/version=0\.0\.4/)
    expect(await (await ask('/health')).json()).toEqual({ status: 'ok' })
    expect((await ask('/../etc/passwd')).status).toBe(404)
    expect((await ask('/constructor')).status).toBe(404)
    expect((await ask('/metrics', 'POST')).status).toBe(405)
    await expect(startMetricsServer({ ...options, port: server.port })).rejects.toThrow(
      /--metrics-port \d+ .*EADDRINUSE.*choose another/,
    )
  } finally {
    await server.close()
  }
})

test('an address that is not of this machine, or a port that is taken, is named with its flag', async () => {
  const parts = { metrics: () => [], health: () => ({}) }
  await expect(startMetricsServer({ port: 0, host: '203.0.113.7', ...parts })).rejects.toThrow(
    /^--metrics-port 0 on --metrics-host 203\.0\.113\.7 cannot be had .*: name an address of this machine$/,
  )
  const first = await startMetricsServer({ port: 0, host: '127.0.0.1', ...parts })
  await expect(
    startMetricsServer({ port: first.port, host: '127.0.0.1', ...parts }),
  ).rejects.toThrow(/\(EADDRINUSE\): choose another port, or 0 for a free one$/)
  await first.close()
})

test('a page elsewhere that points its own name at this machine reads nothing', async () => {
  const parts = { metrics: () => [], health: () => ({ status: 'ok' }) }
  const server = await startMetricsServer({ port: 0, host: '127.0.0.1', ...parts })
  const ask = async (path: string, host: string) => {
    const request = get({ host: '127.0.0.1', port: server.port, path, headers: { host } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  for (const path of ['/metrics', '/health']) {
    expect(await ask(path, `attacker.example:${server.port}`)).toBe(421)
    expect(await ask(path, `localhost:${server.port}`)).toBe(200)
  }
  await server.close()
})
