import { withLanguage } from '../language/page-language.ts'
import type { DocumentFormat } from '../page/document-format.ts'
import {
  type Link,
  MAX_ANCHOR_CHARS,
  MAX_LINKS,
  MAX_TEXT_CHARS,
  MAX_TITLE_CHARS,
  type ParsedPage,
} from '../page/page.ts'
import { type PageData, withData } from '../page/page-data.ts'
import { CollapsedText } from '../text/collapsed-text.ts'
import { detached } from '../text/detached.ts'
import { parseWebDate } from '../text/web-date.ts'
import { urlResolver } from '../url/canonical-url.ts'

/** What a document says of itself, as its own words have it. */
export interface DocumentProperties {
  readonly title?: string
  readonly author?: string
  readonly description?: string
  readonly language?: string
  /** Dates as they are written there. */
  readonly created?: string
  readonly modified?: string
}

const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i
/** Names that programs give, which say nothing. */
const NO_TITLE =
  /^(?:untitled|unbenannt|sans titre|title|document|presentation|slide|powerpoint presentation|\W*|.{0,60}\.(?:docx?|indd|pptx?|xlsx?|qxd|tex|dvi|ps|pdf|odt|fm|book|pages|md|txt|rtf|eps|cdr|ai|pub|wpd))$/i
const PROGRAM_BEFORE = /^(?:microsoft (?:word|powerpoint|excel) - )/i
/** A first line that is longer is a sentence. */
const MOST_HEADING_CHARS = 150

/** Text and links of a document as they are met, up to the limits of a page. */
export class DocumentText {
  readonly #text = new CollapsedText(MAX_TEXT_CHARS)
  readonly #links: Link[] = []
  readonly #url: string
  readonly #resolve: (href: string) => string | undefined
  #asides: number[] = []
  /** The first line that its author calls a title or heading. */
  heading: string | undefined

  constructor(url: string) {
    this.#url = url
    this.#resolve = urlResolver(url)
  }

  get isFull(): boolean {
    return this.#text.isFull
  }

  add(text: string): void {
    this.#text.add(text)
  }

  gap(kind: ' ' | '\n'): void {
    this.#text.gap(kind)
  }

  addLine(text: string): void {
    this.#text.add(text)
    this.#text.gap('\n')
  }

  addLink(href: string | undefined, anchor = ''): void {
    if (href === undefined || href.startsWith('#') || this.#links.length >= MAX_LINKS) return
    const url = this.#resolve(href)
    if (url === undefined) return
    const words = anchor.replace(/\s+/g, ' ').trim().slice(0, MAX_ANCHOR_CHARS)
    this.#links.push({ url: detached(url), anchor: detached(words), rel: 0 })
  }

  /** Runs of lines that are no part of what the document is about: first and end of each. */
  setAsides(asides: number[]): void {
    this.#asides = asides
  }

  page(format: DocumentFormat, said: DocumentProperties): ParsedPage {
    const text = this.#text.toString()
    const declared = said.language?.trim()
    const language = declared !== undefined && LANGUAGE.test(declared) ? declared : undefined
    const page: ParsedPage = {
      form: 'page',
      format,
      title: this.#title(said.title, text),
      text,
      ...(this.#asides.length > 0 && { asides: this.#asides }),
      links: this.#links,
      ...(language && { language: language.toLowerCase().replaceAll('_', '-') }),
      noindex: false,
      nofollow: false,
    }
    return withData(withLanguage(page), dataOf(said))
  }

  /** What it calls itself, else its first heading or short line, else the name of its file. */
  #title(said: string | undefined, text: string): string {
    const first = text.slice(0, MOST_HEADING_CHARS + 1).split('\n', 1)[0]
    for (const candidate of [said, this.heading, first]) {
      const title = (candidate ?? '').replace(PROGRAM_BEFORE, '').replace(/\s+/g, ' ').trim()
      const isLong = candidate === first && title.length > MOST_HEADING_CHARS
      if (!isLong && !NO_TITLE.test(title)) return detached(title.slice(0, MAX_TITLE_CHARS))
    }
    return fileName(this.#url)
  }
}

/** The last part of an address, in words. */
export function fileName(url: string): string {
  const { pathname } = new URL(url)
  const name = pathname.slice(pathname.lastIndexOf('/') + 1)
  return plainName(name).slice(0, MAX_TITLE_CHARS)
}

function plainName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function dataOf({ author, description, created, modified }: DocumentProperties): PageData {
  return {
    ...(author && { author }),
    ...(description && { description }),
    published: dateOf(created),
    modified: dateOf(modified),
  }
}

function dateOf(date: string | undefined): number | undefined {
  return date === undefined ? undefined : parseWebDate(date)
}
