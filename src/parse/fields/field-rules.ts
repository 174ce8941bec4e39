import { SelectorFault, type Step, selectorSteps } from './selector-steps.ts'

/** Fields by name: a selector for the first that matches, in a list for all of them. */
export type FieldSelectors = Readonly<Record<string, string | readonly [string]>>

/** A field, ready to be looked for. */
export interface FieldRule {
  readonly name: string
  readonly wantsAll: boolean
  /** Whose value it is, or the text if undefined. */
  readonly attribute?: string
  readonly selectors: readonly (readonly Step[])[]
}

const NAME = /^[a-z][a-z0-9_-]{0,39}$/i
/** `@content` after a selector: brackets and quotes end otherwise. */
const ATTRIBUTE = /^(.*?)\s*@([\w:-]{1,60})$/s
export const MOST_FIELDS = 30

/** Rules for fields. Throws a `FieldFault` that names the field. */
export function fieldRules(fields: FieldSelectors): FieldRule[] {
  const entries = Object.entries(fields)
  if (entries.length > MOST_FIELDS)
    throw new FieldFault('', `are more than ${MOST_FIELDS}: leave some out`)
  return entries.map(([name, selector]) => fieldRule(name, selector))
}

/** What is wrong with a field, and with which. */
export class FieldFault extends Error {
  readonly field: string

  constructor(field: string, fault: string) {
    super(fault)
    this.field = field
  }
}

function fieldRule(name: string, written: unknown): FieldRule {
  if (!NAME.test(name))
    throw new FieldFault(name, 'must be named by letters, digits, - and _, a letter first')
  const wantsAll = Array.isArray(written)
  const [selector, ...others] = wantsAll ? (written as unknown[]) : [written]
  if (typeof selector !== 'string' || others.length > 0)
    throw new FieldFault(
      name,
      'must be a selector, as in ".price", or ["li.tag"] for all that match',
    )
  const [, before = selector, attribute] = ATTRIBUTE.exec(selector) ?? []
  try {
    const selectors = selectorSteps(before)
    return { name, wantsAll, ...(attribute && { attribute: attribute.toLowerCase() }), selectors }
  } catch (error) {
    if (error instanceof SelectorFault)
      throw new FieldFault(name, `"${selector.slice(0, 60)}" ${error.message}`)
    throw error
  }
}
