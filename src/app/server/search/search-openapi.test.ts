import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { openSearchService } from '#library/search/search-service.ts'
import { searchableCrawl } from '#library/search/searchable-crawl.test-kit.ts'
import {
  type ApiDocument,
  askSite,
  misfits,
  misfitsOf,
  wrongLimits,
} from '../http/openapi.test-kit.ts'
import { ResultLinks } from './search-links.ts'
import { QueryLog, queryLogFolder } from './search-log.ts'
import { searchRoutes } from './search-routes.ts'

const dir = searchableCrawl([
  { url: 'https://a.example/', title: 'Apples', text: 'Apples are red.' },
  { url: 'https://a.example/undated', title: '', text: 'apple', fetchedAt: 0 },
])
const service = openSearchService(dir)
afterAll(() => {
  service.close()
  rmSync(dir, { recursive: true, force: true })
})

const log = {
  queries: new QueryLog(queryLogFolder(dir), Date.now, () => {}),
  links: ResultLinks.of(queryLogFolder(dir)),
}
const siteOf = (isLogged: boolean) => ({
  routes: searchRoutes({ service, now: Date.now, log: isLogged ? log : undefined }),
  onError: (error: unknown) => {
    throw error
  },
})
const ask = async (path: string, query = '', isLogged = true) => {
  const answer = await askSite(siteOf(isLogged), path, query)
  return { ...answer, value: JSON.parse(answer.body) }
}
const description: ApiDocument = (await ask('/api/openapi.json')).value

test('what machines can ask is described, and nothing else', () => {
  const paths = siteOf(true).routes.map(({ path }) => path)
  const forMachines = paths.filter((path) => /^\/(api\/|health)/.test(path))
  expect(Object.keys(description.paths).sort()).toEqual(forMachines.sort())
  expect(description.openapi).toBe('3.1.0')
})

test.each([
  ['a search', '/api/search', 'q=apple', 200],
  ['a search without results', '/api/search', 'q=zzz', 200],
  ['a missing query', '/api/search', '', 400],
  ['the description itself', '/api/openapi.json', '', 200],
  ['health', '/health', '', 200],
])('the answer to %s is as described', async (_, path, query, status) => {
  for (const isLogged of [true, false]) {
    const answer = await ask(path, query, isLogged)
    expect(answer.status).toBe(status)
    expect(misfitsOf(description, path, answer)).toEqual([])
  }
})

test('the twin of a validator finds what does not fit', async () => {
  const { value } = await ask('/api/search', 'q=apple')
  const schema = description.components.schemas.Answer
  const misfitsIn = (changed: unknown) => misfits(changed, schema, description)
  expect(misfitsIn({ ...value, total: 'many' })).toEqual(['$.total is string'])
  expect(misfitsIn({ ...value, extra: 1 })).toEqual(['$.extra is unknown'])
  expect(misfitsIn({ ...value, results: [{}] })).toContain('$.results[0].url is missing')
})

test('parameters are taken up to the limits that are described, and no further', async () => {
  const statusOf = async (query: string) => (await ask('/api/search', query)).status
  expect(await wrongLimits(description, '/api/search', { q: 'apple' }, statusOf)).toEqual([])
})

test('results have a rank, an excerpt, and a date where one is known', async () => {
  const { value } = await ask('/api/search', 'q=apple&limit=1&offset=1')
  expect(value).toMatchObject({ query: 'apple', offset: 1, limit: 1, total: 2, totalIsExact: true })
  const [result] = value.results
  expect(result.rank).toBe(2)
  const all = (await ask('/api/search', 'q=apple')).value.results
  const undated = all.find(({ url }: { url: string }) => url.endsWith('undated'))
  expect(undated).toMatchObject({ title: 'undated', fetchedAt: null })
  const dated = all.find(({ url }: { url: string }) => !url.endsWith('undated'))
  expect(dated.fetchedAt).toBe('2026-09-21T14:13:20.000Z')
  expect(dated.snippet).toEqual({ text: 'Apples are red.', marks: [[0, 6]] })
})
