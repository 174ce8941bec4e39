import { MOST_JSON_CHARS, type PageData } from '../page/page-data.ts'
import { wellFormedJson } from '../text/json-value.ts'
import { parseWebDate } from '../text/web-date.ts'
import { type DataNode, isNode, textOf, topNodes, typeOf } from './data-node.ts'

/** Of the text of a page's scripts, and of one of them. */
const MOST_SCRIPT_CHARS = 200_000
/** Things within things of what is kept. */
const MOST_JSON_DEPTH = 100
const MOST_METAS = 100
const MOST_META_CHARS = 2_000

/** What meta elements say, by what it means here; the first that is there counts. */
const META_NAMES: ReadonlyMap<string, keyof PageData> = new Map<string, keyof PageData>([
  ['og:type', 'type'],
  ['og:title', 'title'],
  ['og:description', 'description'],
  ['og:image', 'image'],
  ['og:image:url', 'image'],
  ['og:updated_time', 'modified'],
  ['article:author', 'author'],
  ['article:published_time', 'published'],
  ['article:modified_time', 'modified'],
  ['author', 'author'],
  ['description', 'description'],
  ['date', 'published'],
  ['dcterms.created', 'published'],
  ['dcterms.modified', 'modified'],
  ['dc.creator', 'author'],
  ['dc.description', 'description'],
  ['twitter:image', 'image'],
])
const OPEN_GRAPH = /^(?:og|article|product|book|profile|video|music|place):/

/** What pages are about comes before what they are part of. */
const LATE_TYPES =
  /^(?:website|webpage|organization|corporation|newsmediaorganization|person|breadcrumblist|searchaction|imageobject|sitenavigationelement|wpheader|wpfooter|itemlist|localbusiness)$/i
const VERY_LATE_TYPES = /^(?:breadcrumblist|searchaction|website|organization|imageobject)$/i

/** What a page says of itself for machines, gathered while it is read. */
export class StructuredData {
  readonly #openGraph: Record<string, string> = {}
  readonly #metas: Partial<Record<keyof PageData, string>> = {}
  readonly #scripts: string[] = []
  #scriptChars = 0
  #metaCount = 0

  /** A meta element, by its property or name. */
  readMeta(name: string, content: string): void {
    if (name.length > 40 || this.#metaCount >= MOST_METAS) return
    const key = name.trim().toLowerCase()
    const meaning = META_NAMES.get(key)
    const isOpenGraph = OPEN_GRAPH.test(key)
    if (meaning === undefined && !isOpenGraph) return
    this.#metaCount++
    const value = content.slice(0, MOST_META_CHARS).trim()
    if (value === '') return
    if (meaning !== undefined) this.#metas[meaning] ??= value
    if (isOpenGraph) this.#openGraph[key] ??= value
  }

  /** The text of a script in JSON-LD. */
  readScript(json: string): void {
    this.#scriptChars += json.length
    if (this.#scriptChars <= MOST_SCRIPT_CHARS) this.#scripts.push(json)
  }

  /** All that was said; undefined if that is nothing. Addresses are as the page's own links are. */
  data(
    microdata: readonly DataNode[],
    resolve: (href: string) => string | undefined,
  ): PageData | undefined {
    const jsonLd = this.#scripts.flatMap(parsed)
    if (jsonLd.length + microdata.length + this.#metaCount === 0) return undefined
    const main = mainNode([...topNodes(jsonLd), ...microdata])
    const metas = this.#metas
    const address = (main && imageOf(main.image)) ?? metas.image
    return {
      type: (main && typeOf(main)) ?? metas.type,
      title: (main && textOf(main.headline ?? main.name)) ?? metas.title,
      description: (main && textOf(main.description)) ?? metas.description,
      author: (main && textOf(main.author ?? main.creator)) ?? metas.author,
      published:
        (main && dateOf(main.datePublished ?? main.dateCreated)) ?? dateOf(metas.published),
      modified: (main && dateOf(main.dateModified)) ?? dateOf(metas.modified),
      image: address === undefined ? undefined : resolve(address),
      json: jsonOf({ openGraph: this.#openGraph, jsonLd, microdata }),
    }
  }
}

/** A script that is no JSON says nothing. */
function parsed(json: string): unknown[] {
  try {
    return [JSON.parse(json)]
  } catch {
    return []
  }
}

/** The thing that the page is about. */
function mainNode(nodes: readonly DataNode[]): DataNode | undefined {
  const typed = nodes.filter((node) => typeOf(node) !== undefined)
  const isLate = (node: DataNode) => LATE_TYPES.test(typeOf(node)!)
  return (
    typed.find((node) => !isLate(node)) ??
    typed.find((node) => !VERY_LATE_TYPES.test(typeOf(node)!))
  )
}

function dateOf(value: unknown): number | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : parseWebDate(text)
}

function imageOf(value: unknown): string | undefined {
  const [first] = [value].flat()
  return isNode(first) ? textOf(first.url ?? first.contentUrl) : textOf(first)
}

/**
 * What is left of so many characters by a value in JSON, at most; below 0 if it needs more, or is nested beyond measure. Nothing is
 * made of it before: an item that another has by ten names, and so on, is a page of a kilobyte and a text without end.
 */
function leftOf(room: number, value: unknown, depth = 0): number {
  if (typeof value === 'string') return room - value.length - 2
  if (typeof value !== 'object' || value === null) return room - 1
  if (depth > MOST_JSON_DEPTH) return -1
  let left = room - 2
  for (const [name, part] of Object.entries(value)) {
    if (left < 0) break
    left = leftOf(left - (Array.isArray(value) ? 1 : name.length + 4), part, depth + 1)
  }
  return left
}

/** As much of it as a column may hold: whole things only. */
function jsonOf(said: {
  readonly openGraph: Readonly<Record<string, string>>
  readonly jsonLd: readonly unknown[]
  readonly microdata: readonly DataNode[]
}): string | undefined {
  let room = MOST_JSON_CHARS
  const fitting = (values: readonly unknown[]) =>
    values.filter((value) => {
      if (leftOf(room, value) < 0) return false
      const { length } = JSON.stringify(value)
      if (length > room) return false
      room -= length + 1
      return true
    })
  const [openGraph] = fitting([said.openGraph])
  const jsonLd = fitting(said.jsonLd)
  const microdata = fitting(said.microdata)
  const kept = {
    ...(openGraph !== undefined && Object.keys(said.openGraph).length > 0 && { openGraph }),
    ...(jsonLd.length > 0 && { jsonLd }),
    ...(microdata.length > 0 && { microdata }),
  }
  return Object.keys(kept).length > 0 ? wellFormedJson(kept) : undefined
}
