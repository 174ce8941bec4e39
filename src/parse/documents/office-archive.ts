import { decodedXml, scanXml } from '../feeds/scan-xml.ts'
import type { TagAttributes } from '../html/tag-attributes.ts'
import type { DocumentProperties } from './document-text.ts'

/** The files of an archive, as texts; undefined for one that is missing, broken or longer than allowed. */
export interface OfficeArchive {
  readonly names: readonly string[]
  text(name: string): string | undefined
}

/** Complains about an archive whose main part cannot be had. */
export function mustHave(archive: OfficeArchive, part: string): void {
  if (archive.text(part) === undefined) throw new Error(`${part} is missing, broken or too long`)
}

type Attributes = ReadonlyMap<string, string>

/** What is told of an element; names have no prefix. */
interface ElementVisitor {
  open?(name: string, attributes: () => Attributes): void
  close?(name: string): void
  text?(text: string): void
  readonly isDone?: boolean
}

/** Walks through a part of a document. Attributes are by lower-case name, with their prefix. */
export function visitXml(xml: string | undefined, visitor: ElementVisitor): void {
  if (xml === undefined) return
  scanXml(xml, {
    open: (_, name, attributes: TagAttributes) => visitor.open?.(name, () => attributes.all()),
    close: (_, name) => visitor.close?.(name),
    wantsText: visitor.text !== undefined,
    text: (source, start, end) => visitor.text?.(source.slice(start, end)),
    get isDone() {
      return visitor.isDone ?? false
    },
  })
}

/** So many relations of a part are looked at. */
const MOST_RELATIONS = 20_000

export interface Relation {
  readonly type: string
  readonly target: string
  readonly isExternal: boolean
}

/** What a part of an Open XML file refers to, by id. */
export function relationsOf(archive: OfficeArchive, part: string): Map<string, Relation> {
  const slash = part.lastIndexOf('/') + 1
  const name = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
  const relations = new Map<string, Relation>()
  visitXml(archive.text(name), {
    open: (element, attributes) => {
      if (element !== 'relationship' || relations.size >= MOST_RELATIONS) return
      const said = attributes()
      const target = decodedXml(said.get('target')) ?? ''
      const type = (said.get('type') ?? '').replace(/^.*\//, '')
      const isExternal = /^external$/i.test(said.get('targetmode') ?? '')
      relations.set(said.get('id') ?? '', { type, target, isExternal })
    },
  })
  return relations
}

/** The part that a relation of another leads to. */
export function partAt(part: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const parts = part.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') parts.pop()
    else if (step !== '.') parts.push(step)
  }
  return parts.join('/')
}

/** Elements of Dublin Core and its kin, by what they mean here. */
const PROPERTIES: Readonly<Record<string, keyof DocumentProperties>> = {
  title: 'title',
  creator: 'author',
  'initial-creator': 'author',
  description: 'description',
  subject: 'description',
  language: 'language',
  created: 'created',
  'creation-date': 'created',
  modified: 'modified',
  date: 'modified',
}
const MOST_PROPERTY_CHARS = 2_000

/** What a document says of itself in Dublin Core; of two the first that says something counts. */
export function propertiesIn(xml: string | undefined): DocumentProperties {
  const said: Partial<Record<keyof DocumentProperties, string>> = {}
  let property: keyof DocumentProperties | undefined
  let text = ''
  visitXml(xml, {
    open: (name) => {
      property = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined
      text = ''
    },
    text: (piece) => {
      if (property && text.length < MOST_PROPERTY_CHARS) text += piece
    },
    close: () => {
      const value = text.trim()
      if (property && value !== '') said[property] ??= value.slice(0, MOST_PROPERTY_CHARS)
      property = undefined
    },
  })
  return said
}

/** A file's name with the numbers in it made comparable: `slide10.xml` comes after `slide2.xml`. */
export function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
