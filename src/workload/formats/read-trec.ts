import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { type Finding, type LogReader, type LogSink, malformed } from './log-record.ts'

/**
 * Reads TREC files, told apart line by line: topics as `qid<TAB>query` or in `<top>` elements, and qrels
 * as `qid 0 document grade`. Documents must be named by their URLs.
 */
export function trecReader(sink: LogSink): LogReader {
  const topics = new TopicElements(sink)
  return {
    read: (text, line) => {
      if (!topics.read(text, line) && text.trim() !== '') sink(findingIn(text), line)
    },
    end: () => topics.end(),
  }
}

function findingIn(text: string): Finding {
  const [, name, query] = /^([^\t]*)\t([^\t]*)$/.exec(text) ?? /^(\d+):(.*)$/.exec(text) ?? []
  if (name !== undefined) return topic(name, query)
  const [, judged, document, grade] =
    /^(\S+)\s+\S+\s+(\S+)\s+(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? []
  if (judged === undefined) return malformed('neither "qid<TAB>query" nor "qid 0 url grade"')
  const url = canonicalUrl(document)
  if (url === undefined) return malformed('the document is no URL')
  // Some collections grade spam below zero.
  return { kind: 'judged', name: judged, url, grade: Math.max(0, Number(grade)) }
}

function topic(name: string, text: string): Finding {
  if (name.trim() === '') return malformed('a topic without a number')
  if (text.trim() === '') return malformed('no query text')
  return { kind: 'asked', text: text.trim(), count: 1, name: name.trim() }
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** No query is longer, whatever stands between its tags. */
const MAX_TITLE_CHARS = 10_000

/**
 * Topics as TREC prints them: `<top> <num> Number: 301 <title> … <desc> … </top>`, tags left open; or
 * `<topic number="51"> <query>…</query> </topic>`.
 */
class TopicElements {
  readonly #sink: LogSink
  #isOpen = false
  #line = 0
  #name = ''
  #title = ''
  #element = ''

  constructor(sink: LogSink) {
    this.#sink = sink
  }

  /** Whether the line belongs to a topic element, or frames them. */
  read(text: string, line: number): boolean {
    const trimmed = text.trim()
    const opening = /^<top(?:ic)?\b[^>]*>/i.exec(trimmed)
    if (opening) {
      this.end()
      this.#isOpen = true
      this.#line = line
      this.#name = /\bnumber="([^"]*)"/i.exec(opening[0])?.[1] ?? ''
    } else if (!this.#isOpen) return /^<(?:\?xml|\/?topics|!--)/i.test(trimmed)
    for (const [, tag, content] of trimmed.matchAll(/(?:<([^<>]*)>|^)([^<]*)/g)) {
      if (tag !== undefined) this.#element = /^\/?\w*/.exec(tag)![0].toLowerCase()
      this.#take(content)
    }
    if (/^\/top/.test(this.#element)) this.#finish()
    return true
  }

  end(): void {
    if (this.#isOpen) this.#sink(malformed('a <top> that is not closed'), this.#line)
    this.#reset()
  }

  #take(content: string): void {
    if (this.#name.length + this.#title.length > MAX_TITLE_CHARS) return
    if (this.#element === 'num') this.#name += content.replace(/^\s*Number:/i, '').trim()
    else if (this.#element === 'title' || this.#element === 'query')
      this.#title += ` ${content.replace(/^\s*Topic:/i, '')}`
  }

  #finish(): void {
    const title = this.#title.replace(/&(\w+);/g, (whole, name) => ENTITIES.get(name) ?? whole)
    this.#sink(topic(this.#name, title), this.#line)
    this.#reset()
  }

  #reset(): void {
    this.#isOpen = false
    this.#name = ''
    this.#title = ''
    this.#element = ''
  }
}
