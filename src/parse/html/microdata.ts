import type { DataNode } from '../structured/data-node.ts'
import { CollapsedText } from '../text/collapsed-text.ts'
import type { TagAttributes } from './tag-attributes.ts'
import { ITEMPROP, ITEMSCOPE } from './tag-attributes.ts'
import { type ElementWalker, type WalkedElement, walkHtml } from './walk-html.ts'

const MOST_ITEMS = 100
const MOST_PROPERTIES = 500
const MOST_VALUE_CHARS = 2_000
/** Things within things; every text goes to all of them. */
const MOST_NESTED = 20
/** Attributes that hold a property's value, by the element that has it. */
const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = {
  ...{ meta: 'content', a: 'href', area: 'href', link: 'href', data: 'value', meter: 'value' },
  ...{ img: 'src', audio: 'src', video: 'src', source: 'src', iframe: 'src', embed: 'src' },
  ...{ track: 'src', object: 'data' },
}

/** An item or a property's text that is being read, and how many elements are open within it. */
interface Reading {
  depth: number
  readonly item?: DataNode
  readonly names?: readonly string[]
  readonly text?: CollapsedText
  readonly owner?: DataNode
}

/** The items that a page describes in microdata, those within others as their properties. */
export function readMicrodata(html: string): DataNode[] {
  const reader = new MicrodataReader()
  walkHtml(html, reader)
  return reader.items
}

class MicrodataReader implements ElementWalker {
  readonly items: DataNode[] = []
  readonly #readings: Reading[] = []
  #items = 0
  #properties = 0

  open(element: WalkedElement, attributes: TagAttributes): void {
    const inner = this.#readings.at(-1)
    if (inner) inner.depth++
    const scope = attributes.written(ITEMSCOPE)
    const written = attributes.written(ITEMPROP)
    if (scope === undefined && written === undefined) return
    if (this.#readings.length >= MOST_NESTED) return
    const said = attributes.all()
    const owner = this.#readings.findLast(({ item }) => item)?.item
    const names = owner && said.get('itemprop')?.split(/\s+/, 10).filter(Boolean)
    if (scope !== undefined) this.#openItem(said, owner, names)
    else if (owner && names && names.length > 0) this.#openProperty(element, said, owner, names)
  }

  close(element: WalkedElement): void {
    for (const { text } of this.#readings) if (element.parts) text?.gap(' ')
    const inner = this.#readings.at(-1)
    if (!inner) return
    if (inner.depth > 0) {
      inner.depth--
      return
    }
    this.#readings.pop()
    // The element closes in what is around it, too.
    const outer = this.#readings.at(-1)
    if (outer) outer.depth--
    const { text, owner, names = [] } = inner
    if (text && owner) for (const name of names) addTo(owner, name, text.toString())
  }

  text(source: string, start: number, end: number): void {
    for (const { text } of this.#readings) text?.add(source, start, end)
  }

  #openItem(said: ReadonlyMap<string, string>, owner?: DataNode, names: readonly string[] = []) {
    if (++this.#items > MOST_ITEMS) return
    const type = said.get('itemtype')?.trim().split(/\s+/, 1)[0].slice(0, 200)
    const item: DataNode = type ? { '@type': type } : {}
    if (owner && names.length > 0) for (const name of names) addTo(owner, name, item)
    else this.items.push(item)
    this.#readings.push({ depth: 0, item })
  }

  #openProperty(
    { name }: WalkedElement,
    said: ReadonlyMap<string, string>,
    owner: DataNode,
    names: readonly string[],
  ): void {
    if (++this.#properties > MOST_PROPERTIES) return
    const attribute = name === 'time' ? 'datetime' : VALUE_ATTRIBUTES[name]
    const value = said.get('content') ?? (attribute && said.get(attribute))
    if (value !== undefined) {
      for (const one of names) addTo(owner, one, value.slice(0, MOST_VALUE_CHARS))
      return
    }
    const text = new CollapsedText(MOST_VALUE_CHARS)
    this.#readings.push({ depth: 0, names, text, owner })
  }
}

function addTo(item: DataNode, name: string, value: string | DataNode): void {
  if (name === '__proto__') return
  const before = Object.hasOwn(item, name) ? item[name] : undefined
  if (before === undefined) item[name] = value
  else if (Array.isArray(before)) before.push(value)
  else item[name] = [before, value]
}
