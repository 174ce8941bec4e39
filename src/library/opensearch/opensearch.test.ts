import fc from 'fast-check'
import { expect, test } from 'vitest'
import { engineGains } from '#learn/text-index/engine-gains.ts'
import { cases } from '#numeric/cases.test-kit.ts'
import { ownEngine } from '#search/engine/own-engine.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { analyser } from '#search/text/analysis.ts'
import type { PageRow } from '../push/page-row.ts'
import { openSearchAddress } from '../settings/push-address.ts'
import { idOf, OpenSearchClient } from './opensearch-client.ts'
import { openSearchEngine } from './opensearch-engine.ts'
import { ONE_FIELD, startOpenSearchDouble } from './opensearch-server.test-kit.ts'
import { openSearchTarget } from './opensearch-target.ts'

const noWait = { wait: async () => {} }

function rowOf(page: number, at: number, more: Partial<PageRow> = {}): PageRow {
  const since = new Date(at * 1000).toISOString()
  return {
    ...{ position: at, url: `https://a.example/${page}`, host: 'a.example', state: 'page' },
    ...{ event: 'new', since, content_at: since, form: 'page', noindex: false, soft_error: false },
    ...{ title: `Page ${page}`, text: `heron ${page} at ${at}`, ...more },
  }
}

test('pages that searchers may see are indexed, others are forgotten', async () => {
  using server = await startOpenSearchDouble()
  const target = openSearchTarget(openSearchAddress(server.address)!, noWait)
  expect(target.name).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pages$/)
  await target.deliver([rowOf(1, 10), rowOf(2, 11), rowOf(3, 12, { noindex: true })])
  await target.deliver([
    ...[rowOf(1, 20, { state: 'gone' }), rowOf(4, 21, { duplicate_of: 'https://a.example/2' })],
    rowOf(5, 22, { form: 'sitemap' }),
  ])
  const { docs } = server.double
  const shown = [...docs.values()].flatMap(({ document }) => document?.url ?? [])
  expect(shown).toEqual(['https://a.example/2'])
  expect(docs.get(idOf('https://a.example/2'))).toMatchObject({
    version: 11_000,
    document: { host: 'a.example', title: 'Page 2', fetched_at: '1970-01-01T00:00:11.000Z' },
  })
})

test('repeated, late and reordered writes leave the same index', async () => {
  const write = fc.record({
    page: fc.nat(4),
    at: fc.integer({ min: 1, max: 50 }),
    isGone: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(write, { selector: ({ at }) => at }),
      fc.infiniteStream(fc.nat()),
      async (writes, chances) => {
        using server = await startOpenSearchDouble()
        const target = openSearchTarget(openSearchAddress(server.address)!, noWait)
        const rows = writes.map(({ page, at, isGone }) =>
          rowOf(page, at, isGone ? { state: 'gone' } : {}),
        )
        const shuffled = [...rows, ...rows]
          .map((row) => ({ row, chance: chances.next().value as number }))
          .sort((a, b) => a.chance - b.chance)
        for (const { row } of shuffled) await target.deliver([row])
        const latest = new Map(
          [...rows].sort((a, b) => a.position - b.position).map((row) => [row.url, row]),
        )
        const expected = [...latest].map(([url, { state, text }]) => [
          idOf(url),
          state === 'page' ? text : undefined,
        ])
        const held = [...server.double.docs].map(([id, { document }]) => [id, document?.text])
        expect(new Map(held as [string, string][])).toEqual(new Map(expected as [string, string][]))
      },
    ),
    { numRuns: cases(5, 30) },
  )
})

test('a server that restarts, and writes that it puts off, are waited for', async () => {
  using server = await startOpenSearchDouble()
  server.double.failures = 3
  server.double.busyWrites = 2
  const target = openSearchTarget(openSearchAddress(server.address)!, noWait)
  await target.deliver([rowOf(1, 10), rowOf(2, 11)])
  expect(server.double.docs.size).toBe(2)
})

test('gains by an engine are those of our own index where both are configured alike', async () => {
  using server = await startOpenSearchDouble()
  const urlOf = (page: number) => `https://a.example/${page}`
  const client = new OpenSearchClient(openSearchAddress(`${server.address}?fields=text`)!, noWait)
  const other = openSearchEngine(client, {
    ...{ urlOf, numberOf: (url) => Number(url.split('/').at(-1)) },
  })
  const own = ownEngine(new TextIndex(analyser({ stemming: false })), ONE_FIELD)
  const queries = ['heron', 'grey heron', 'nest'].map((text, i) => ({ text, weight: i + 1 }))
  for (let cycle = 0; cycle < 4; cycle++) {
    const fetches = Array.from({ length: 10 }, (_, i) => {
      const id = (cycle * 7 + i) % 25
      const words = ['heron ', 'grey ', 'nest ', 'stone ']
      const text = words.map((word, w) => word.repeat((id * (w + 3) + cycle * w) % 4)).join('')
      const outcome =
        i === 3 && cycle > 1
          ? { kind: 'gone', id, url: urlOf(id), at: 100 + cycle }
          : {
              kind: 'page',
              id,
              url: urlOf(id),
              at: 100 + cycle,
              page: { form: 'page', title: '', text },
            }
      return { outcome, changed: true } as never
    })
    const byOther = await engineGains(other, queries, fetches)
    const byOwn = await engineGains(own, queries, fetches)
    expect([...byOther.keys()]).toEqual([...byOwn.keys()])
    for (const [page, gain] of byOwn) expect(byOther.get(page)).toBeCloseTo(gain, 9)
    if (cycle === 0) expect(Math.max(...byOwn.values())).toBeGreaterThan(0.1)
  }
})

test.each([
  ['opensearch://h/pages', { origin: 'http://h:9200', index: 'pages' }],
  [
    'elasticsearch+https://u:p%40w@h:443/a-b?fields=title^3,text',
    {
      ...{ origin: 'https://h:443', index: 'a-b', authorization: 'Basic dTpwQHc=' },
      fields: ['title^3', 'text'],
    },
  ],
  ['opensearch://h/', undefined],
  ['opensearch://h/Pages', undefined],
  ['opensearch://h/_all', undefined],
  ['https://h/pages', undefined],
])('the address %s', (text, address) => {
  expect(openSearchAddress(text)).toEqual(address)
})
