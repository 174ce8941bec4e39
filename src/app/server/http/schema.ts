/** A JSON Schema, as far as we use it. */
interface Keywords {
  readonly type?: string | readonly string[]
  /** OpenAPI lists a schema with a title once, and refers to it elsewhere. */
  readonly title?: string
  readonly description?: string
  /** A parameter with a default may be left out. */
  readonly default?: string | number
  readonly const?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Fields
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

declare const VALUE: unique symbol

/** A schema that knows the type of its values: the compiler holds routes to what OpenAPI promises. */
export interface Schema<Value = unknown> extends Keywords {
  /** Never there. */
  readonly [VALUE]?: Value
}
export type ValueOf<S> = S extends Schema<infer Value> ? Value : never

type Fields = Readonly<Record<string, Schema>>
type Values<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> }

const schema =
  <Value>(type: Keywords) =>
  (description?: string, keywords: Keywords = {}): Schema<Value> => ({
    ...type,
    description,
    ...keywords,
  })

export const text = schema<string>({ type: 'string' })
export const number = schema<number>({ type: 'number' })
export const whole = schema<number>({ type: 'integer', minimum: 0 })
export const truth = schema<boolean>({ type: 'boolean' })
export const anyObject = schema<object>({ type: 'object' })
export const anyObjectOrNull = schema<object | null>({ type: ['object', 'null'] })
/** In ISO 8601. */
export const momentOrNull = schema<string | null>({ type: ['string', 'null'], format: 'date-time' })

export function constant<const Value extends string>(value: Value): Schema<Value> {
  return { const: value }
}

export function list<Item>(items: Schema<Item>, description?: string): Schema<readonly Item[]> {
  return { type: 'array', items, description }
}

export function pair<Item>(items: Schema<Item>): Schema<readonly [Item, Item]> {
  return { type: 'array', items, minItems: 2, maxItems: 2 }
}

/** An object with these fields, perhaps with some of the others, and with nothing else. */
export function object<Always extends Fields, Sometimes extends Fields = Record<never, never>>(
  about: Pick<Keywords, 'title' | 'description'>,
  always: Always,
  sometimes?: Sometimes,
): Schema<Values<Always> & Partial<Values<Sometimes>>> {
  const properties = { ...always, ...sometimes }
  const required = Object.keys(always)
  return { type: 'object', ...about, required, additionalProperties: false, properties }
}
