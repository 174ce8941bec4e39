import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mainText } from '#parse/page/main-text.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { parsePage } from '#parse/parse-page.ts'

export type Parts = 'pages' | 'headings'

/** A text, and a name of it that does not stand in it. */
export interface NamedText {
  readonly title: string
  readonly text: string
  /** The language that its page is in, as told by its words. */
  readonly told?: string
}

/** Shorter pages are heads of chapters, and shorter parts say nothing. */
const LEAST_CHARS = { pages: 600, headings: 150 }
const LEAST_TITLE_CHARS = { latin: 8, ideographs: 4 }
const NUMBERS = /^(?:[\d\p{Lu}.]*\.|第\s*\d+\s*章\.?)\s*/u

/** The texts of a folder of pages, of so many at most, evenly: each page by its title, or each part by its heading. */
export function partsIn(folder: string, parts: Parts, most: number): NamedText[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .sort()
  const step = Math.max(1, files.length / most)
  const some = files.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step))
  return some.flatMap((file) => {
    const html = readFileSync(join(folder, file), 'utf8')
    const page = pageOf(html)
    const all = parts === 'pages' ? [{ title: page.title, text: mainText(page) }] : partsOf(html)
    return all
      .map((part) => ({ ...withoutName(part), told: page.language }))
      .filter((part) => isWorthAsking(part, parts))
  })
}

function pageOf(html: string): ParsedPage {
  return parsePage(Buffer.from(html), 'text/html; charset=utf-8', 'http://a.test/')
}

function partsOf(html: string): NamedText[] {
  return html.split(/(?=<h[1-4][\s>])/i).flatMap((part) => {
    const [all, heading] = /^<h[1-4][^>]*>([\s\S]*?)<\/h[1-4]>/i.exec(part) ?? []
    if (all === undefined) return []
    const text = mainText(pageOf(`<p>${part.slice(all.length)}`))
    return [{ title: pageOf(`<p>${heading}`).text, text }]
  })
}

function withoutName({ title, text }: NamedText): NamedText {
  const name = title.replace(NUMBERS, '').trim()
  const lines = text.split('\n').filter((line) => name === '' || !line.includes(name))
  return { title: name, text: lines.join('\n') }
}

function isWorthAsking({ title, text }: NamedText, parts: Parts): boolean {
  const least = /[\u3040-\u9fff\uac00-\ud7af]/.test(title) ? 'ideographs' : 'latin'
  return text.length >= LEAST_CHARS[parts] && title.length >= LEAST_TITLE_CHARS[least]
}
