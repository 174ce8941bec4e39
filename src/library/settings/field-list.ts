import { FieldFault, type FieldSelectors, fieldRules } from '#parse/fields/field-rules.ts'
import { plainText } from '#parse/text/plain-text.ts'
import type { Kind } from './setting-kinds.ts'

/** Own fields by CSS selectors, in a config file only. */
export const fieldList: Kind<FieldSelectors> = {
  form: 'an object: names of fields, and a CSS selector for each',
  example: '{ "price": ".price", "author": "meta[name=author]@content", "tags": ["a.tag"] }',
  fromText: () => undefined,
  fromJson: (json) => (fieldsFault(json) === undefined ? (json as FieldSelectors) : undefined),
  fault: (json) => {
    const fault = fieldsFault(json)
    return fault && `fields${fault.field && `.${fault.field}`} ${fault.reason}`
  },
}

/** What is wrong with fields, and with which of them. */
export function fieldsFault(json: unknown): { field: string; reason: string } | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return { field: '', reason: 'must be an object, as in { "price": ".price" }' }
  try {
    fieldRules(json as FieldSelectors)
    return undefined
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error
    return { field: plainText(error.field).slice(0, 60), reason: plainText(error.message) }
  }
}
