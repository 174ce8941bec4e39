import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UsageError } from '#app/text/usage-error.ts'
import { ndcg } from '#lab/metrics/ndcg.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { type Analyser, analyser, analyserByLanguage } from '#search/text/analysis.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { type NamedText, type Parts, partsIn } from './reading/named-texts.ts'

/** A page, or a part of one, without the words that it is asked for by. */
interface Page extends NamedText {
  readonly language: string
  readonly url: string
}

/** A page of which more stands in English pages, line by line, is not translated. */
const MOST_ENGLISH = 1 / 3
const LEAST_LINE_CHARS = 40

export default benchmark({
  about:
    'Finds pages of many languages by their titles, or parts by their headings, with analysis by language and with English alone',
  flags: { pages: '', languages: '', parts: 'pages', most: 0 },
  async run({ pages: folder, languages, parts, most }) {
    if (!existsSync(folder))
      throw new UsageError(
        '--pages: name a folder that has one for each language, as debian-handbook/html',
      )
    if (parts !== 'pages' && parts !== 'headings')
      throw new UsageError('--parts: pages, or headings for each with what stands below it')
    const wanted = languages === '' ? readdirSync(folder).sort() : languages.split(',')
    const all = wanted.flatMap((name) => pagesIn(join(folder, name), parts, most || Infinity))
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

function pagesIn(folder: string, parts: Parts, most: number): Page[] {
  const language = basename(folder).slice(0, 2)
  // The address would tell it in English.
  return partsIn(folder, parts, most).map((part, i) => ({
    ...part,
    language,
    url: `http://a.test/${language}/${i}`,
  }))
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
