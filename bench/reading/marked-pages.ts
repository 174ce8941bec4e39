import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseHtml } from '#parse/html/html.ts'
import { wordF1 } from './word-f1.ts'

/** A page of the web, and how well a text found in it agrees with what people marked in it. */
export interface MarkedPage {
  readonly set: string
  readonly html: string
  /** From 0 to 1. */
  agreement(text: string): number
}

/** Pages of a checkout of one of the projects that mark some: which one, its files tell. */
export function markedPagesIn(checkout: string): MarkedPage[] {
  const has = (...path: string[]) => existsSync(join(checkout, ...path))
  if (has('ground-truth.json')) return articles(checkout)
  if (has('tests', 'evaldata.json')) return snippets(checkout)
  if (has('test', 'test-pages')) return readable(join(checkout, 'test', 'test-pages'))
  return handMade(checkout)
}

/** The bodies of articles, of Zyte's article-extraction-benchmark. */
function articles(checkout: string): MarkedPage[] {
  const truths = jsonIn<Record<string, { articleBody: string }>>(checkout, 'ground-truth.json')
  return Object.entries(truths).map(([name, { articleBody }]) => ({
    set: 'article-extraction-benchmark',
    html: gunzipSync(readFileSync(join(checkout, 'html', `${name}.html.gz`))).toString(),
    agreement: (text) => wordF1(text, articleBody),
  }))
}

interface Snippets {
  readonly file: string
  readonly with: readonly string[]
  readonly without: readonly string[]
}

/** Sentences that are of the main text, and some that are not, of trafilatura's own evaluation. */
function snippets(checkout: string): MarkedPage[] {
  const pages = Object.values(jsonIn<Record<string, Snippets>>(checkout, 'tests', 'evaldata.json'))
  return pages.flatMap(({ file, with: wanted, without: unwanted }) => {
    const path = ['cache', 'eval']
      .map((folder) => join(checkout, 'tests', folder, file))
      .find((one) => existsSync(one))
    if (path === undefined) return []
    const agreement = (text: string) => {
      const flat = flattened(text)
      const found = (list: readonly string[]) =>
        list.filter((piece) => flat.includes(flattened(piece))).length
      const right = found(wanted)
      return (2 * right) / (right + found(unwanted) + wanted.length)
    }
    return [{ set: 'trafilatura', html: readFileSync(path, 'utf8'), agreement }]
  })
}

/** What Mozilla's Readability should leave of pages, by its own tests. */
function readable(folder: string): MarkedPage[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const expected = readFileSync(join(folder, name, 'expected.html'), 'utf8')
      const { text: truth } = parseHtml(expected, 'http://a.test/')
      const html = readFileSync(join(folder, name, 'source.html'), 'utf8')
      return { set: 'readability', html, agreement: (text) => wordF1(text, truth) }
    })
}

/** Pages in which comments are around what the page is about; they are taken off. */
function handMade(folder: string): MarkedPage[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'))
  return names.sort().map((name) => {
    const marked = readFileSync(join(folder, name), 'utf8')
    const pieces = marked.matchAll(/<!--main-->([\s\S]*?)<!--\/main-->/g).map(([, piece]) => piece)
    const { text: truth } = parseHtml([...pieces].join('\n'), 'http://a.test/')
    const html = marked.replace(/<!--\/?main-->/g, '')
    return { set: 'hand-made', html, agreement: (text) => wordF1(text, truth) }
  })
}

function flattened(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function jsonIn<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(...path), 'utf8'))
}
