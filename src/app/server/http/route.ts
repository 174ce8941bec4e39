import type { IncomingHttpHeaders } from 'node:http'
import { plainJson } from '#parse/text/plain-text.ts'
import { type Given, type Parameters, readParameters } from './parameters.ts'
import { Refusal } from './refusal.ts'
import type { Schema } from './schema.ts'

/** A request, as far as routes look at it. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** What a form sent; only where a route takes one. */
  readonly form?: URLSearchParams
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Goes on after the body: sends more by `push`, until the client goes away and what it gives is called. */
  readonly stream?: (push: (text: string) => void) => () => void
}

/** One path, what can be asked there, and what is answered. */
export interface Route<P extends Parameters = Parameters, Value = Answer> {
  readonly path: string
  /** Left out, it is only looked at: GET and HEAD. */
  readonly method?: 'POST'
  readonly parameters?: P
  readonly answer: (
    given: Given<P>,
    asked: Asked,
  ) => NoInfer<Value> | Refusal | Promise<NoInfer<Value> | Refusal>
  /** It may take minutes: whoever has another thread for such work asks that. */
  readonly isSlow?: boolean
  /** What OpenAPI says of it; pages for people are not described. */
  readonly described?: Description
}

interface Description<Value = unknown> {
  /** OpenAPI's `operationId`. */
  readonly name: string
  readonly summary: string
  readonly gives: Schema<Value>
  /** Statuses of refusals beside those that any route may give. */
  readonly refuses?: readonly Refusal['status'][]
}

/** A route for machines: the same schemas check, type and describe what it takes and gives. */
export function jsonRoute<Value, P extends Parameters = Record<never, never>>({
  path,
  parameters,
  isSlow,
  answer,
  ...described
}: Route<P, Value> & Description<Value>): Route {
  const jsonOf = async (given: Given<P>, asked: Asked) => {
    const value = await answer(given, asked)
    return value instanceof Refusal ? value : jsonAnswer(200, value)
  }
  return { ...route({ path, parameters, isSlow, answer: jsonOf }), described }
}

/** What a route of these says; undefined if there is none for what is asked. Nothing is read from the disk by a name that came with a request. */
export function routed(
  routes: readonly Route[],
  asked: Asked,
): Answer | Refusal | Promise<Answer | Refusal> | undefined {
  const isForm = asked.form !== undefined
  const route = routes.find(
    ({ path, method }) => path === asked.path && (method === 'POST') === isForm,
  )
  if (!route) return undefined
  const given = readParameters(route.parameters ?? {}, asked.query)
  return typeof given === 'string' ? new Refusal(400, given) : route.answer(given, asked)
}

/** Any other route; it knows the types of its parameters. */
export function route<P extends Parameters>(of: Route<P>): Route {
  return of as unknown as Route
}

/** A file that changes only with the version of the program. */
export function assetRoute(path: string, type: string, body: string): Route {
  const headers = { 'cache-control': 'public, max-age=86400' }
  return { path, answer: () => ({ status: 200, type, body, headers }) }
}

/** Going back shows what was there; asking again asks us. */
const PRIVATE = { 'cache-control': 'private, no-cache' }

export function htmlAnswer(status: number, body: string, headers = {}): Answer {
  return { status, type: 'text/html; charset=utf-8', body, headers: { ...PRIVATE, ...headers } }
}

export function jsonAnswer(status: number, value: unknown, headers = {}): Answer {
  const body = `${plainJson(value)}\n`
  const type = 'application/json; charset=utf-8'
  return { status, type, body, headers: { ...PRIVATE, ...headers } }
}
