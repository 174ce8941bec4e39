import { plainText } from '#parse/text/plain-text.ts'
import type { Schema, ValueOf } from './schema.ts'

/** What a route can be asked, by name. Whatever has no default must be given. */
export type Parameters = Readonly<Record<string, Schema<string> | Schema<number>>>
export type Given<P extends Parameters> = { readonly [Name in keyof P]: ValueOf<P[Name]> }

/** Reads parameters as they are described; a string says what is wrong with the first that is not. */
export function readParameters(
  described: Parameters,
  query: URLSearchParams,
): Given<Parameters> | string {
  const values: Record<string, string | number> = {}
  for (const [name, schema] of Object.entries<Schema>(described)) {
    const words = plainText(query.get(name) ?? '').replace(/\s+/g, ' ')
    const mistake = mistakeIn(words, schema)
    if (mistake !== undefined) return `${name} ${mistake}`
    const value = words === '' ? schema.default! : words
    values[name] = schema.type === 'integer' ? Number(value) : value
  }
  return values
}

function mistakeIn(words: string, schema: Schema): string | undefined {
  const { type, description, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (words === '') return schema.default === undefined ? `is missing: ${description}` : undefined
  if (type === 'integer') {
    const isFine = /^\d{1,15}$/.test(words) && Number(words) >= minimum && Number(words) <= maximum
    return isFine ? undefined : `must be a whole number from ${minimum} to ${maximum}.`
  }
  const { maxLength = Number.POSITIVE_INFINITY } = schema
  if (words.length <= maxLength) return undefined
  return `has ${words.length} characters, and may have at most ${maxLength}.`
}
