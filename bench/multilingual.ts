import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '#app/text/usage-error.ts'
import { ndcg } from '#lab/metrics/ndcg.ts'
import { mainText } from '#parse/page/main-text.ts'
import { parsePage } from '#parse/parse-page.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { type Analyser, analyser, analyserByLanguage } from '#search/text/analysis.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'

/** A page without the words that it is asked for by. */
interface Page {
  readonly language: string
  readonly url: string
  readonly title: string
  readonly text: string
  /** As told by its words. */
  readonly told?: string
}

/** Shorter pages are heads of chapters. */
const LEAST_CHARS = 600
const LEAST_TITLE_CHARS = 8
/** A page of which more stands in English pages, line by line, is not translated. */
const MOST_ENGLISH = 1 / 3
const LEAST_LINE_CHARS = 40

export default benchmark({
  about:
    'Finds pages of many languages by their titles, with analysis by language and with English alone',
  flags: { pages: '', languages: '' },
  async run({ pages: folder, languages }) {
    if (!existsSync(folder))
      throw new UsageError(
        '--pages: name a folder that has one for each language, as debian-handbook/html',
      )
    const wanted = languages === '' ? readdirSync(folder).sort() : languages.split(',')
    const all = wanted.flatMap((name) => pagesIn(join(folder, name), name.slice(0, 2)))
    const pages = translatedOf(all)
    const mixed = compare(pages)
    const groups = [...Map.groupBy(pages, ({ language }) => language).values()]
    const alone = groups.map(compare)
    const rows = groups.map((some, i) => ({
      ...{ language: some[0].language, queries: some.length, alone: meansOf(alone[i]) },
      mixed: meansOf(mixed, (page) => page.language === some[0].language),
    }))
    const ndcg10 = {
      alone: meansOf(alone.flat(), isForeign),
      mixed: meansOf(mixed, isForeign),
      rows,
    }
    const rises = mustHold(
      ndcg10.alone.byLanguage > ndcg10.alone.englishAlone &&
        ndcg10.mixed.byLanguage > ndcg10.mixed.englishAlone,
    )
    return { pages: pages.length, untranslated: all.length - pages.length, ndcg10, rises }
  },
})

/** What a page's title finds by either analysis: NDCG@10 of that page. */
interface Compared {
  readonly page: Page
  readonly englishAlone: number
  readonly byLanguage: number
}

/** Pages of a corpus, each asked for by its title. */
function compare(pages: readonly Page[]): Compared[] {
  const english = measure(pages, analyser({ stemming: true }))
  const own = measure(pages, analyserByLanguage())
  return pages.map((page, i) => ({ page, englishAlone: english[i], byLanguage: own[i] }))
}

/** Each page is asked for by its title, which the index does not have: of its text the title is left out. */
function measure(pages: readonly Page[], analyser: Analyser): number[] {
  const index = new TextIndex(analyser)
  for (const [id, { url, text, told }] of pages.entries())
    index.replace(id, { url, title: '', text, anchors: [], language: told })
  index.flush()
  return pages.map(({ title }, id) => {
    const found = index.search(index.prepare(title, defaultScoring), 10).map(({ url }) => url)
    return ndcg(found, new Map([[id, 1]])) ?? 0
  })
}

function pagesIn(folder: string, language: string): Page[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.html'))
    .sort()
  return files.flatMap((file, i) => {
    const page = parsePage(readFileSync(join(folder, file)), 'text/html', 'http://a.test/')
    const title = page.title.replace(/^[\d\p{Lu}.]*\.\s*/u, '').trim()
    const lines = mainText(page).split('\n')
    const text = lines.filter((line) => !line.includes(title)).join('\n')
    if (text.length < LEAST_CHARS || title.length < LEAST_TITLE_CHARS) return []
    // The address would tell it in English.
    return [{ language, url: `http://a.test/${language}/${i}`, title, text, told: page.language }]
  })
}

/** Pages in English, and those of other folders that are not in English for the most part. */
function translatedOf(pages: readonly Page[]): Page[] {
  const english = new Set(pages.filter((page) => !isForeign(page)).flatMap(longLines))
  const chars = (lines: readonly string[]) => lines.reduce((sum, { length }) => sum + length, 0)
  return pages.filter((page) => {
    const lines = longLines(page)
    const copied = lines.filter((line) => english.has(line))
    return !isForeign(page) || chars(copied) <= MOST_ENGLISH * chars(lines)
  })
}

function longLines({ text }: Page): string[] {
  return text.split('\n').filter(({ length }) => length >= LEAST_LINE_CHARS)
}

function isForeign({ language }: Page): boolean {
  return language !== 'en'
}

function meansOf(all: readonly Compared[], isWanted: (page: Page) => boolean = () => true) {
  const some = all.filter(({ page }) => isWanted(page))
  const mean = (of: (one: Compared) => number) =>
    rounded(some.reduce((sum, one) => sum + of(one), 0) / some.length)
  return {
    englishAlone: mean((one) => one.englishAlone),
    byLanguage: mean((one) => one.byLanguage),
  }
}
