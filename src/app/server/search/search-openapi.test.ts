import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { openSearchService } from '#library/search/search-service.ts'
import { searchableCrawl } from '#library/search/searchable-crawl.test-kit.ts'
import { ResultLinks } from './search-links.ts'
import { QueryLog, queryLogFolder } from './search-log.ts'
import { answerTo, ROUTES } from './search-routes.ts'

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
const ask = (path: string, parameters = '', isLogged = true) => {
  const site = { service, now: Date.now, ...(isLogged && { log }) }
  const asked = { path, parameters: new URLSearchParams(parameters), isDeliberate: true }
  const { status, body } = answerTo(site, asked)
  return { status, value: JSON.parse(body) }
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | string[]
  readonly const?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
}
const description = ask('/api/openapi.json').value

/** As much of JSON Schema as the description uses; gives what does not fit. */
function misfits(value: unknown, schema: Schema, at = '$'): string[] {
  if (schema.$ref)
    return misfits(value, description.components.schemas[schema.$ref.split('/').at(-1)!], at)
  if ('const' in schema) return value === schema.const ? [] : [`${at} is not ${schema.const}`]
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const kinds = [kind, ...(Number.isInteger(value) ? ['integer'] : [])]
  const types = [schema.type ?? []].flat()
  if (types.length > 0 && !types.some((type) => kinds.includes(type))) return [`${at} is ${kind}`]
  const found: string[] = []
  if (typeof value === 'number' && value < (schema.minimum ?? value)) found.push(`${at} too small`)
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) found.push(`${at} too short`)
    if (value.length > (schema.maxItems ?? value.length)) found.push(`${at} too long`)
    if (schema.items)
      found.push(...value.flatMap((item, i) => misfits(item, schema.items!, `${at}[${i}]`)))
  } else if (kind === 'object') {
    const object = value as Record<string, unknown>
    for (const name of schema.required ?? [])
      if (!(name in object)) found.push(`${at}.${name} is missing`)
    for (const [name, part] of Object.entries(object)) {
      const known = schema.properties?.[name]
      if (known) found.push(...misfits(part, known, `${at}.${name}`))
      else if (schema.additionalProperties === false) found.push(`${at}.${name} is unknown`)
    }
  }
  return found
}

test('what machines can ask is described, and nothing else', () => {
  const forMachines = Object.keys(ROUTES).filter((path) => /^\/(api\/|health)/.test(path))
  expect(Object.keys(description.paths).sort()).toEqual(forMachines.sort())
  expect(description.openapi).toBe('3.1.0')
})

test.each([
  ['a search', '/api/search', 'q=apple', 200],
  ['a search without results', '/api/search', 'q=zzz', 200],
  ['a missing query', '/api/search', '', 400],
  ['the description itself', '/api/openapi.json', '', 200],
  ['health', '/health', '', 200],
])('the answer to %s is as described', (_, path, parameters, status) => {
  for (const isLogged of [true, false]) {
    const answer = ask(path, parameters, isLogged)
    expect(answer.status).toBe(status)
    const { schema } = description.paths[path].get.responses[status].content['application/json']
    expect(misfits(answer.value, schema)).toEqual([])
  }
})

test('the twin of a validator finds what does not fit', () => {
  const { value } = ask('/api/search', 'q=apple')
  const schema = { $ref: '#/components/schemas/Answer' }
  expect(misfits({ ...value, total: 'many' }, schema)).toEqual(['$.total is string'])
  expect(misfits({ ...value, extra: 1 }, schema)).toEqual(['$.extra is unknown'])
  expect(misfits({ ...value, results: [{}] }, schema)).toContain('$.results[0].url is missing')
})

test('parameters are taken up to the limits that are described, and no further', () => {
  for (const { name, schema } of description.paths['/api/search'].get.parameters) {
    const status = (value: string | number) => {
      const parameters = new URLSearchParams({ q: 'apple', [name]: String(value) })
      return ask('/api/search', parameters.toString()).status
    }
    if (schema.type === 'integer') {
      for (const fine of [schema.minimum, schema.maximum, schema.default])
        expect(status(fine), name).toBe(200)
      for (const bad of [schema.minimum - 1, schema.maximum + 1, 'x', '1.5', '1e1'])
        expect(status(bad), `${name}=${bad}`).toBe(400)
    } else {
      expect(status('x'.repeat(schema.maxLength))).toBe(200)
      expect(status('x'.repeat(schema.maxLength + 1))).toBe(400)
    }
  }
})

test('results have a rank, an excerpt, and a date where one is known', () => {
  const { value } = ask('/api/search', 'q=apple&limit=1&offset=1')
  expect(value).toMatchObject({ query: 'apple', offset: 1, limit: 1, total: 2, totalIsExact: true })
  const [result] = value.results
  expect(result.rank).toBe(2)
  const all = ask('/api/search', 'q=apple').value.results
  const undated = all.find(({ url }: { url: string }) => url.endsWith('undated'))
  expect(undated).toMatchObject({ title: 'undated', fetchedAt: null })
  const dated = all.find(({ url }: { url: string }) => !url.endsWith('undated'))
  expect(dated.fetchedAt).toBe('2026-09-21T14:13:20.000Z')
  expect(dated.snippet).toEqual({ text: 'Apples are red.', marks: [[0, 6]] })
})
