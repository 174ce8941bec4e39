import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { primaryLanguage } from '#parse/language/page-language.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** A page of Debian's documentation, and what is known of it by how its package is made. */
export interface Document {
  readonly set: string
  readonly path: string
  readonly html: string
  /** By the folder or name of the file; undefined where translations are not complete. */
  readonly language?: string
  /** What its generator calls its body. */
  readonly mainText?: string
}

interface DocumentSet {
  readonly name: string
  readonly folder: string
  readonly languageOf?: (path: string) => string | undefined
  readonly isMain?: (element: Element) => boolean
  readonly isAside?: (element: Element) => boolean
}

const hasClass = (element: Element, name: RegExp) =>
  element.attrs.some(({ name: attribute, value }) => attribute === 'class' && name.test(value))
const isDocbookAside = (element: Element) => hasClass(element, /^(navheader|navfooter)$/)
const inName = (path: string) => /\.([a-z]{2})(?:-[a-z]+)?\.html$/.exec(path)?.[1]

const SETS: readonly DocumentSet[] = [
  {
    name: 'installation-guide-amd64',
    folder: 'doc/installation-guide-amd64',
    languageOf: (path) => /^([a-z]{2})/.exec(path)?.[1],
    isAside: isDocbookAside,
  },
  {
    name: 'debian-reference',
    folder: 'debian-reference',
    languageOf: inName,
    isAside: isDocbookAside,
  },
  { name: 'debian-faq', folder: 'doc/debian/FAQ', languageOf: inName },
  { name: 'postgresql-doc-15', folder: 'doc/postgresql-doc-15/html', isAside: isDocbookAside },
  {
    name: 'python3.11-doc',
    folder: 'doc/python3.11/html',
    isMain: ({ attrs }) => attrs.some(({ name, value }) => name === 'role' && value === 'main'),
  },
  {
    name: 'debian-handbook',
    folder: 'doc/debian-handbook/html/en-US',
    isAside: (element) =>
      hasClass(element, /^docnav/) || element.attrs.some(({ value }) => value === 'title'),
  },
]

/** Documents below the `usr/share` of unpacked packages, at most so many of each set and language. */
export function documentsIn(shares: readonly string[], most: number): Document[] {
  return SETS.flatMap((set) => {
    const folder = shares.map((share) => join(share, set.folder)).find((path) => existsSync(path))
    return folder === undefined ? [] : documentsOf(set, folder, most)
  })
}

function documentsOf(set: DocumentSet, folder: string, most: number): Document[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.html$/.test(path))
    .sort()
  const byLanguage = Map.groupBy(files, (path) => set.languageOf?.(path) ?? '')
  return [...byLanguage].flatMap(([language, paths]) =>
    spread(paths, most).map((path) => {
      const html = readFileSync(join(folder, path), 'utf8')
      const main = set.isMain || set.isAside ? truthOf(html, set) : undefined
      return {
        ...{ set: set.name, path, html },
        ...(language !== '' && { language: primaryLanguage(language) }),
        ...(main !== undefined && { mainText: main }),
      }
    }),
  )
}

/** So many of a list, evenly. */
function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)])
}

function truthOf(html: string, set: DocumentSet): string {
  const words: string[] = []
  const visit = (node: Node, isIn: boolean): void => {
    if (node.nodeName === '#text' && isIn) words.push((node as { value: string }).value)
    if (!('childNodes' in node)) return
    const element = 'attrs' in node ? node : undefined
    if (element && /^(script|style|title|template|noscript)$/.test(element.nodeName)) return
    if (element && set.isAside?.(element)) return
    const isInside = isIn || (element !== undefined && (set.isMain?.(element) ?? false))
    for (const child of node.childNodes) visit(child, isInside)
  }
  visit(parse(html), set.isMain === undefined)
  return words.join(' ')
}

/** The page without the names by which its generator marks its parts. */
export function withoutNames(html: string): string {
  return html
    .replace(/\s(?:class|id|role|aria-label)\s*=\s*(?:"[^"]*"|'[^']*')/gi, '')
    .replace(/<(\/?)(?:nav|main|footer|header|aside)\b/gi, '<$1div')
}
