import { REFUSALS } from './refusal.ts'
import { jsonRoute, type Route } from './route.ts'
import { anyObject, object, type Schema, text } from './schema.ts'

interface AboutApi {
  readonly title: string
  readonly description: string
  readonly version: string
}

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
const Mistake = object({ title: 'Mistake' }, { error: text() })
/** Said before a route is asked, or when it fails. */
const FROM_ANY_ROUTE = [405, 413, 414, 421, 429, 500, 503] as const

/** These routes, and one more that describes them all. */
export function withOpenApi(
  about: AboutApi,
  routes: readonly Route[],
  path = '/api/openapi.json',
): readonly Route[] {
  const all: readonly Route[] = [
    ...routes,
    jsonRoute({
      path,
      name: 'describe',
      summary: 'This description',
      gives: anyObject('OpenAPI 3.1'),
      answer: () => openApi(about, all),
    }),
  ]
  return all
}

/** The OpenAPI 3.1 description of the routes for machines. */
function openApi(about: AboutApi, routes: readonly Route[]): object {
  const schemas: Record<string, object> = {}
  /** What has a title is listed once, and referred to. */
  const refer = ({ title, items, properties, ...rest }: Schema): object => {
    const named = properties && Object.entries(properties).map(([name, of]) => [name, refer(of)])
    const schema = {
      ...rest,
      items: items && refer(items),
      properties: named && Object.fromEntries(named),
    }
    if (title === undefined) return schema
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }
  const response = (description: string, schema: Schema) => ({
    description,
    content: { 'application/json': { schema: refer(schema) } },
  })
  const paths: Record<string, object> = {}
  for (const { path, parameters = {}, described } of routes) {
    if (!described) continue
    const { name, summary, gives, refuses = [] } = described
    const queryParameters = Object.entries<Schema>(parameters).map(
      ([name, { description, ...schema }]) => {
        const required = schema.default === undefined
        return { name, in: 'query', required, description, schema }
      },
    )
    const refusals = [
      ...(queryParameters.length > 0 ? [400 as const] : []),
      ...refuses,
      ...FROM_ANY_ROUTE,
    ]
    const responses = {
      200: response(gives.description ?? summary, gives),
      ...Object.fromEntries(refusals.map((at) => [at, response(REFUSALS[at], Mistake)])),
    }
    paths[path] = { get: { operationId: name, summary, parameters: queryParameters, responses } }
  }
  return { openapi: '3.1.0', info: { ...about, license: LICENSE }, paths, components: { schemas } }
}
