import { type FieldRule, type FieldSelectors, fieldRules } from '#parse/fields/field-rules.ts'
import type { Sites } from './sites.ts'

/** The operator's own fields: those of all pages, and those of a site in their place where it names the same. */
export class SiteFields {
  readonly #overall: FieldSelectors
  readonly #sites: Sites
  /** Made once for each set of selectors. */
  readonly #rules = new WeakMap<FieldSelectors, readonly FieldRule[]>()

  constructor(overall: FieldSelectors = {}, sites: Sites) {
    this.#overall = overall
    this.#sites = sites
  }

  /** The fields to look for on a page; undefined if there are none. */
  of(url: URL): readonly FieldRule[] | undefined {
    const own = this.#sites.ofUrl(url)?.fields
    const selectors = own ?? this.#overall
    let rules = this.#rules.get(selectors)
    if (!rules) {
      rules = fieldRules(own ? { ...this.#overall, ...own } : this.#overall)
      this.#rules.set(selectors, rules)
    }
    return rules.length > 0 ? rules : undefined
  }
}
