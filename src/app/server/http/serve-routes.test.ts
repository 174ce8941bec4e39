import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DamagedFileError } from '#repository/damage.ts'
import type { Listening } from './listen.ts'
import { type ApiDocument, askSite, misfitsOf, wrongLimits } from './openapi.test-kit.ts'
import { withOpenApi } from './openapi.ts'
import { Refusal } from './refusal.ts'
import { htmlAnswer, jsonRoute, route } from './route.ts'
import { list, object, text, whole } from './schema.ts'
import { serveRoutes } from './serve-routes.ts'

const PARAMETERS = {
  words: text('What to say.', { maxLength: 20 }),
  times: whole('How often.', { minimum: 1, maximum: 9, default: 2 }),
}
const echo = {
  name: 'echo',
  summary: 'Says it again',
  parameters: PARAMETERS,
  gives: object({ title: 'Echo' }, { said: list(text()) }),
}
const errors: unknown[] = []
let fails: Error | undefined
const site = {
  routes: withOpenApi({ title: 'Echo', version: '1', description: 'Echoes.' }, [
    jsonRoute({
      ...echo,
      path: '/api/echo',
      answer: async ({ words, times }) => {
        if (fails) throw fails
        return { said: new Array<string>(times).fill(words) }
      },
    }),
    jsonRoute({ ...echo, path: '/api/no', answer: () => new Refusal(404, 'Look elsewhere.') }),
    route({ path: '/page', answer: () => htmlAnswer(200, 'a page') }),
  ]),
  messagePage: (heading: string, advice: string) => `<h1>${heading}</h1>${advice}`,
  onError: (error: unknown) => errors.push(error),
}
const description: ApiDocument = JSON.parse((await askSite(site, '/api/openapi.json')).body)

const start = (perSecond = 0) =>
  serveRoutes({ site, port: 0, host: '127.0.0.1', flags: '--port 0', perSecond })
let server: Listening
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.close())

/** Over a socket, as guards look at sockets and headers. */
async function ask(path: string, options: { method?: string; headers?: object } = {}, body = '') {
  return askAt(server.port, path, options, body)
}
async function askAt(port: number, path: string, options = {}, body = '') {
  const asked = request({ host: '127.0.0.1', port, path, agent: false, ...options }).end(body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const { statusCode: status = 0, headers } = response
  return { status, type: headers['content-type']!, headers, body: await textOf(response) }
}

/** How each refusal that the description lists comes about. */
const PROVOKED: Record<number, (path: string) => ReturnType<typeof ask>> = {
  200: (path) => ask(`${path}?words=hi`),
  400: (path) => ask(path),
  405: (path) => ask(path, { method: 'POST' }),
  413: (path) => ask(path, { headers: { 'content-length': 3 } }, 'abc'),
  414: (path) => ask(`${path}?words=${'x'.repeat(8_000)}`),
  421: (path) => ask(path, { headers: { host: 'evil.example' } }),
  429: async (path) => {
    const slow = await start(0.001)
    await askAt(slow.port, path)
    const answer = await askAt(slow.port, path)
    await slow.close()
    return answer
  },
  500: (path) => failing(path, new Error('torn page')),
  503: (path) => failing(path, new DamagedFileError('a', 'b', 'c')),
}
async function failing(path: string, error: Error) {
  fails = error
  const answer = await ask(`${path}?words=hi`)
  fails = undefined
  expect(errors.pop()).toBe(error)
  return answer
}

test('every status that is described comes about, looks as described, and carries the guards', async () => {
  const statuses = Object.keys(description.paths['/api/echo'].get.responses).map(Number)
  expect(statuses).toEqual(Object.keys(PROVOKED).map(Number))
  for (const status of statuses) {
    const answer = await PROVOKED[status]('/api/echo')
    expect(answer.status).toBe(status)
    expect(misfitsOf(description, '/api/echo', answer), String(status)).toEqual([])
    expect(answer.type).toBe('application/json; charset=utf-8')
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'/)
  }
})

test('routes for machines are described, and pages are not', () => {
  expect(Object.keys(description.paths)).toEqual(['/api/echo', '/api/no', '/api/openapi.json'])
})

test('an answer that is not as described is found', async () => {
  const answer = await ask('/api/no?words=hi')
  expect(misfitsOf(description, '/api/no', answer)).toEqual([
    '/api/no answers 404, which is not described',
  ])
})

test('people are told on a page, machines in JSON', async () => {
  const page = await ask('/nothing')
  expect([page.status, page.type]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.body).toMatch(/^<h1>There is no such page<\/h1>/)
  const json = await ask('/api/nothing')
  expect(JSON.parse(json.body)).toEqual({
    error: 'There is no such page: The address may be misspelt.',
  })
})

test('a path is a path only as it is written', async () => {
  for (const path of ['/x/../page', '/p%61ge', '//page', '/page/', '/PAGE', '/constructor'])
    expect((await ask(path)).status, path).toBe(404)
  expect((await ask('/page?x')).status).toBe(200)
})

test('parameters are taken up to the limits that are described, and no further', async () => {
  const statusOf = async (query: string) => (await askSite(site, '/api/echo', query)).status
  expect(await wrongLimits(description, '/api/echo', { words: 'hi' }, statusOf)).toEqual([])
})

test('whatever is asked, the route gets it as described or is not asked at all', async () => {
  const anything = fc.record({
    words: fc.string({ unit: fc.constantFrom(...'ab 1&=%+'), maxLength: 24 }),
    times: fc.string({ unit: fc.constantFrom(...'0127.e-'), maxLength: 2 }),
  })
  await fc.assert(
    fc.asyncProperty(anything, async ({ words, times }) => {
      const query = new URLSearchParams({ words, times }).toString()
      const { status, body } = await askSite(site, '/api/echo', query)
      const said = words.trim().replace(/ +/g, ' ')
      const isFine = said !== '' && said.length <= 20 && /^(0?[1-9])?$/.test(times)
      expect(status).toBe(isFine ? 200 : 400)
      if (isFine) expect(JSON.parse(body).said).toEqual(new Array(Number(times) || 2).fill(said))
      else expect(JSON.parse(body).error).toMatch(/: (words|times) (is missing|must be|has)/)
    }),
  )
})
