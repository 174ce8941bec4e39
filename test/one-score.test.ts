import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { startSearchServer } from '#app/server/search/search-server.ts'
import { archiveFetcher } from '#archive/archive-fetcher.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { crawl } from '#crawl/crawl.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { openCrawl } from '#library/open/open-crawl.ts'
import { openSearchService } from '#library/search/search-service.ts'
import { newPagesBy } from '#policy/planning/new-pages.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'

/** By query: the address and score of each of its best results, best first. */
type Answers = Map<string, (readonly [url: string, score: number])[]>

const RESULTS = 10
const NOW = 1_790_000_000
const dir = sharedFolder()
const web = generateModelWeb({ seed: 5, pages: 600, weeks: 2 })
const texts = web.workload!.queries.slice(0, 6).map(({ text }) => text.toLowerCase())
/** As the crawl that just ended knows them: what the next plan would rest on. */
const planned: Answers = new Map()

beforeAll(async () => {
  const log = join(dir, 'log.csv')
  writeFileSync(log, texts.map((text) => `"${text}",3\n`).join(''))
  await forager('queries', 'import', log, '--format', 'csv', '--dir', dir)
  const archive = archiveOf(web)
  const options = { seeds: archive.site.start, scope: { scope: 'anywhere' }, now: NOW } as const
  const { store, state } = await openCrawl(dir, options)
  const clock = { now: () => NOW }
  const fetcher = archiveFetcher(new RecordedWeb(archive, 0), clock)
  const rules = { policy: newPagesBy('bfs', state), seed: 1 }
  const limits = { budget: 240, batch: 40 }
  const { signal } = new AbortController()
  await crawl(state, rules, { fetcher, repository: store, clock }, limits, signal)
  const { answers } = state.tracker!
  answers.queries.forEach(({ text }, query) => {
    const top = answers.topOf(query)
    const urlOf = (url: number) => state.frontier.urls.urlOf(url)
    planned.set(
      text,
      top.map(({ url, score }) => [urlOf(url), score]),
    )
  })
  store.close()
})

interface Printed {
  readonly results: readonly { readonly url: string; readonly score: number }[]
}
const scored = ({ results }: Printed) => results.map(({ url, score }) => [url, score] as const)

test('a plan and the search page never disagree on a score', async () => {
  expect([...planned.keys()].sort()).toEqual([...texts].sort())
  expect([...planned.values()].filter((top) => top.length > 1).length).toBeGreaterThan(2)

  const search = async (text: string) =>
    forager('search', text, '--dir', dir, '--json', '--limit', String(RESULTS))
  const printed = await Promise.all(texts.map(search))
  const searched: Answers = new Map(
    texts.map((text, i) => [text, scored(JSON.parse(printed[i].stdout))]),
  )
  expect(searched).toEqual(planned)

  const service = openSearchService(dir)
  const options = { site: { service, now: Date.now }, port: 0, host: '127.0.0.1', perSecond: 0 }
  const server = await startSearchServer({ ...options, onError: () => {} })
  const served: Answers = new Map()
  for (const text of texts) {
    const query = new URLSearchParams({ q: text, limit: String(RESULTS) })
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/search?${query}`)
    served.set(text, scored((await answer.json()) as Printed))
  }
  await server.close()
  service.close()
  expect(served).toEqual(planned)

  const { stdout } = await forager('queries', 'needy', '--dir', dir, '--json')
  const needy: { query: string; averageScore: number; best: Printed['results'][0] | null }[] =
    JSON.parse(stdout).queries
  expect(needy).toHaveLength(texts.length)
  for (const { query, best, averageScore } of needy) {
    const top = planned.get(query)!
    expect(best && [best.url, best.score]).toEqual(top[0] ?? null)
    expect(averageScore).toBe(top.reduce((sum, [, score]) => sum + score, 0) / RESULTS)
  }
})
