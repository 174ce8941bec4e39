import type { TagAttributes } from '../html/tag-attributes.ts'
import { type ElementWalker, type WalkedElement, walkHtml } from '../html/walk-html.ts'
import type { PageFields } from '../page/page.ts'
import { CollapsedText } from '../text/collapsed-text.ts'
import { isWhiteSpace } from '../text/white-space.ts'
import type { FieldRule } from './field-rules.ts'
import type { Step } from './selector-steps.ts'

/** So many values of a field that wants all, and so much of each. */
const MOST_VALUES = 100
const MOST_VALUE_CHARS = 2_000
/** Texts that are read at the same time, of elements within each other: each piece goes to all of them. */
const MOST_OPEN = 100
/** Elements that are looked at, and those around one that are known. */
const MOST_ELEMENTS = 100_000
const MOST_DEPTH = 400

/** A selector's step, with its place among all, and the field that its match is a value of. */
interface NumberedStep extends Step {
  readonly number: number
  readonly field?: FieldRule
}

/** What is known of an open element: which steps it and those around and before it match. */
interface Frame {
  readonly matched: Uint8Array
  /** By it or any around it. */
  readonly within: Uint8Array
  /** By the last of its children, and by any. */
  last: Uint8Array
  readonly earlier: Uint8Array
  children: number
  readonly values: readonly Value[]
}

interface Value {
  readonly text: CollapsedText
  /** How many elements whose text is not shown are open around it, itself included. */
  readonly silent: number
}

/** The fields of a page, by rules; undefined if none is found. In time linear in its length, with each selector's steps. */
export function readFields(html: string, rules: readonly FieldRule[]): PageFields | undefined {
  const reader = new FieldReader(rules)
  walkHtml(html, reader)
  return reader.fields()
}

class FieldReader implements ElementWalker {
  readonly #rules: readonly FieldRule[]
  readonly #steps: readonly NumberedStep[]
  readonly #none: Uint8Array
  readonly #stack: Frame[]
  readonly #values = new Map<FieldRule, (string | CollapsedText)[]>()
  readonly #open = new Set<Value>()
  #elements = 0
  /** Open elements that are too deep to be looked at. */
  #tooDeep = 0
  #silent = 0
  /** White space or a block stands between the last text and the next. */
  #isParted = false

  constructor(rules: readonly FieldRule[]) {
    this.#rules = rules
    const steps = rules.flatMap((field) =>
      field.selectors.flatMap((selector) =>
        selector.map((step, i) => ({ ...step, ...(i === selector.length - 1 && { field }) })),
      ),
    )
    this.#steps = steps.map((step, number) => ({ ...step, number }))
    this.#none = new Uint8Array(steps.length)
    this.#stack = [this.#frame(this.#none, this.#none, [])]
  }

  open(element: WalkedElement, attributes: TagAttributes): void {
    if (element.parts) this.#isParted = true
    if (element.isSilent) this.#silent++
    if (this.#tooDeep > 0 || this.#stack.length > MOST_DEPTH || this.#elements >= MOST_ELEMENTS) {
      this.#tooDeep++
      return
    }
    this.#elements++
    const parent = this.#stack[this.#stack.length - 1]
    const matched = this.#match(element.name, attributes, parent)
    const within = parent.within.slice()
    const values: Value[] = []
    for (const { number, field } of this.#steps) {
      if (matched[number] === 0) continue
      within[number] = parent.earlier[number] = 1
      if (field) this.#found(field, attributes, values)
    }
    parent.last = matched
    this.#stack.push(this.#frame(matched, within, values))
  }

  close(element: WalkedElement): void {
    if (element.parts) this.#isParted = true
    if (element.isSilent) this.#silent--
    if (this.#tooDeep > 0) this.#tooDeep--
    else for (const value of this.#stack.pop()!.values) this.#open.delete(value)
  }

  text(source: string, start: number, end: number): void {
    let from = start
    while (from < end && isWhiteSpace(source.charCodeAt(from))) from++
    // However many texts are open, what is between words costs nothing.
    if (from === end) {
      this.#isParted = true
      return
    }
    for (const value of this.#open) {
      if (this.#isParted) value.text.gap(' ')
      if (this.#silent <= value.silent) value.text.add(source, start, end)
      if (value.text.isFull) this.#open.delete(value)
    }
    this.#isParted = false
  }

  fields(): PageFields | undefined {
    const found: Record<string, string | string[]> = {}
    for (const rule of this.#rules) {
      const values = (this.#values.get(rule) ?? []).map(String).filter((text) => text !== '')
      if (values.length > 0) found[rule.name] = rule.wantsAll ? values : values[0]
    }
    return Object.keys(found).length > 0 ? found : undefined
  }

  #match(name: string, attributes: TagAttributes, parent: Frame): Uint8Array {
    parent.children++
    let all: ReadonlyMap<string, string> | undefined
    const facts = {
      name,
      place: parent.children,
      attributes: () => {
        all ??= attributes.all()
        return all
      },
    }
    const matched = new Uint8Array(this.#steps.length)
    for (const { number, combinator, matches } of this.#steps) {
      const mayMatch =
        combinator === 'first' ||
        (combinator === 'within' && parent.within[number - 1] === 1) ||
        (combinator === 'child' && parent.matched[number - 1] === 1) ||
        (combinator === 'next' && parent.last[number - 1] === 1) ||
        (combinator === 'later' && parent.earlier[number - 1] === 1)
      if (mayMatch && matches(facts)) matched[number] = 1
    }
    return matched
  }

  #found(field: FieldRule, attributes: TagAttributes, opened: Value[]): void {
    const values = this.#values.get(field) ?? []
    if (values.length >= (field.wantsAll ? MOST_VALUES : 1)) return
    if (field.attribute !== undefined) {
      const value = attributes.all().get(field.attribute)
      if (value === undefined) return
      values.push(value.trim().slice(0, MOST_VALUE_CHARS))
    } else {
      if (this.#open.size >= MOST_OPEN) return
      const value = { text: new CollapsedText(MOST_VALUE_CHARS), silent: this.#silent }
      values.push(value.text)
      opened.push(value)
      this.#open.add(value)
    }
    this.#values.set(field, values)
  }

  #frame(matched: Uint8Array, within: Uint8Array, values: readonly Value[]): Frame {
    const earlier = new Uint8Array(this.#steps.length)
    return { matched, within, last: this.#none, earlier, children: 0, values }
  }
}
