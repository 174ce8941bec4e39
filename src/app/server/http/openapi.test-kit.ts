import type { Answer, Asked } from './route.ts'
import type { Schema } from './schema.ts'
import { answerTo, type Site } from './serve-routes.ts'

/** As much of an OpenAPI document as tests look at. */
export interface ApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly required: boolean
    readonly schema: Schema<number | string>
  }[]
  readonly responses: Readonly<
    Record<
      string,
      { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
    >
  >
}

/** Asks a site without a socket. */
export function askSite(site: Site, path: string, query = '', headers = {}): Promise<Answer> {
  const asked: Asked = { method: 'GET', path, query: new URLSearchParams(query), headers }
  return answerTo(site, asked)
}

/** What is wrong with an answer, by the document of its site: nothing, if it is as described. */
export function misfitsOf(
  document: ApiDocument,
  path: string,
  { status, body }: Pick<Answer, 'status' | 'body'>,
): string[] {
  const response = document.paths[path].get.responses[status]
  if (!response) return [`${path} answers ${status}, which is not described`]
  return misfits(JSON.parse(body), response.content['application/json'].schema, document)
}

/** As much of JSON Schema as our descriptions use; gives what does not fit. */
export function misfits(
  value: unknown,
  schema: Schema & { readonly $ref?: string },
  document: ApiDocument,
  at = '$',
): string[] {
  if (schema.$ref)
    return misfits(value, document.components.schemas[schema.$ref.split('/').at(-1)!], document, at)
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
      found.push(
        ...value.flatMap((item, i) => misfits(item, schema.items!, document, `${at}[${i}]`)),
      )
  } else if (kind === 'object') {
    const object = value as Record<string, unknown>
    for (const name of schema.required ?? [])
      if (!(name in object)) found.push(`${at}.${name} is missing`)
    for (const [name, part] of Object.entries(object)) {
      const known = schema.properties?.[name]
      if (known) found.push(...misfits(part, known, document, `${at}.${name}`))
      else if (schema.additionalProperties === false) found.push(`${at}.${name} is unknown`)
    }
  }
  return found
}

/** Statuses that do not follow from the description of a route's parameters; `asks` gives those it needs. */
export async function wrongLimits(
  document: ApiDocument,
  path: string,
  asks: Readonly<Record<string, string>>,
  statusOf: (query: string) => Promise<number>,
): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, required, schema } of document.paths[path].get.parameters) {
    const expectStatus = async (value: string | number | undefined, status: number) => {
      const query = new URLSearchParams(asks)
      if (value === undefined) query.delete(name)
      else query.set(name, String(value))
      const found = await statusOf(query.toString())
      if (found !== status) wrong.push(`${name}=${value} gives ${found}, not ${status}`)
    }
    await expectStatus(undefined, required ? 400 : 200)
    if (schema.type === 'integer') {
      const { minimum = 0, maximum = 0, default: otherwise } = schema
      for (const fine of [minimum, maximum, otherwise]) await expectStatus(fine, 200)
      for (const bad of [minimum - 1, maximum + 1, 'x', '1.5', '1e1', '0x1', '٣'])
        await expectStatus(bad, 400)
    } else if (schema.maxLength !== undefined) {
      await expectStatus('x'.repeat(schema.maxLength), 200)
      await expectStatus('x'.repeat(schema.maxLength + 1), 400)
    }
  }
  return wrong
}
