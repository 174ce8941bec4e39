import type { Command } from 'commander'
import { askAndShow, type ShownAnswer } from '#library/search/search-results.ts'
import { openSearchService } from '#library/search/search-service.ts'
import { plainText } from '#parse/text/plain-text.ts'
import type { TextRange } from '#search/text/snippet.ts'
import { apiAnswer, MAX_LIMIT, MAX_QUERY_CHARS } from '../../server/search/search-api.ts'
import { ageText } from '../../text/age.ts'
import { said } from '../../text/said.ts'
import { UsageError } from '../../text/usage-error.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor, some } from '../terminal/output.ts'

/** `forager search`: the pages that answer a query, best first. */
export function defineSearch(command: Command): void {
  addSettings(command, ['dir'])
    .option('--limit <n>', `at most so many results, up to ${MAX_LIMIT}`, wholeNumber(1), 10)
    .option('--json', 'print the results as JSON')
    .allowUnknownOption() // -word keeps pages away
    .addHelpText(
      'after',
      `
Pages are found by words in any form, in the language of each page. To narrow a search down:
  site:example.org   pages of a host or domain        lang:de      pages in a language
  "just these words" pages that say so                -word        pages without a word
Operators take a list (lang:de,fr) and a dash (-site:old.example.org).

Examples:
  forager search hiking trails
  forager search hiking -winter
  forager search '"create index" lang:en -concurrently site:docs.example.org'
  forager search how do I mock a timer --dir mycrawl --limit 3 --json`,
    )
    .action((words: string[], options, command) => {
      runSearch(words, options, settingsOf(command).settings.dir)
    })
}

function runSearch(
  words: readonly string[],
  options: { limit: number; json?: boolean },
  dir: string,
): void {
  if (options.limit > MAX_LIMIT)
    throw new UsageError(`--limit ${options.limit}: at most ${MAX_LIMIT} results are shown`)
  const mistyped = words.find((word) => word.startsWith('--'))
  if (mistyped) throw new UsageError(`unknown option '${mistyped}'`)
  const query = plainText(words.join(' '))
  if (query === '') throw new UsageError('nothing to search for: name at least one word')
  if (query.length > MAX_QUERY_CHARS)
    throw new UsageError(`the query is longer than ${MAX_QUERY_CHARS} characters: use fewer words`)
  const service = openSearchService(dir)
  try {
    const answer = askAndShow(service, query, 0, options.limit)
    if (options.json) outputFor(options).result(apiAnswer(answer), () => '')
    // Not by way of `outputFor`, which would take our own escapes for the web's.
    else
      process.stdout.write(
        `${answerText(answer, service.pages, Date.now() / 1000, emphasisFor(process.stdout))}\n`,
      )
  } finally {
    service.close()
  }
}

/** How words of the query stand out. */
type Emphasis = (text: string) => string

function emphasisFor(stream: { readonly isTTY?: boolean }): Emphasis {
  const isPlain = stream.isTTY !== true || process.env.NO_COLOR || process.env.TERM === 'dumb'
  return isPlain ? (text) => text : (text) => `\u001b[1m${text}\u001b[22m`
}

/** Results for people, a blank line between two; all of it came through `plainText` before. */
export function answerText(
  { query, results, total, totalIsExact, ms }: ShownAnswer,
  pages: number,
  now: number,
  strong: Emphasis,
): string {
  if (results.length === 0)
    return pages === 0
      ? 'nothing is indexed yet: crawl something first, as in forager crawl https://example.org/'
      : `nothing found for "${query}" among ${some(pages, 'page')}: try fewer or more common words, or crawl more with a higher --budget`
  const blocks = results.map(({ rank, title, titleMarks, url, snippet, score, fetchedAt }) => {
    const { text, marks, moreBefore, moreAfter } = snippet
    const excerpt = `${moreBefore ? '… ' : ''}${emphasised(text, marks, strong)}${moreAfter ? ' …' : ''}`
    const age = fetchedAt > 0 ? `fetched ${ageText(fetchedAt, now)}, ` : ''
    return said(
      `${String(rank).padStart(2)}. ${emphasised(title, titleMarks, strong)}`,
      `    ${url}`,
      text !== '' && `    ${excerpt}`,
      `    (${age}score ${score.toPrecision(4)})`,
    ).join('\n')
  })
  const found = `${totalIsExact ? '' : 'at least '}${some(total, 'result')} in ${ms.toFixed(1)} ms`
  return [...blocks, found].join('\n\n')
}

function emphasised(text: string, marks: readonly TextRange[], strong: Emphasis): string {
  let out = ''
  let at = 0
  for (const [start, end] of marks) {
    out += text.slice(at, start) + strong(text.slice(start, end))
    at = end
  }
  return out + text.slice(at)
}
