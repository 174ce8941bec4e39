import { Option } from 'commander'
import type { RecordedWebOptions } from '#archive/recorded-web.ts'
import { CRAWL_SPLITS } from '#lab/judging/query-split.ts'
import { SCORINGS } from '#search/full-text/default-search.ts'
import { commaList } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'

/** The flag that says how much a crawl may know of the queries it is judged by. */
export function queriesFlag(): Option {
  return new Option(
    '--queries <kind>',
    'what the crawl knows of the queries it is judged by: another log of the same searchers, other queries (half), the same, or none',
  )
    .choices(CRAWL_SPLITS)
    .default('log')
}

/** Whether hosts of a recorded web have sitemaps. */
export type Sitemaps = NonNullable<RecordedWebOptions['sitemaps']>

export function sitemapsFlag(): Option {
  return new Option(
    '--sitemaps <kind>',
    'whether every host has a sitemap of all it has, or none has',
  )
    .choices(['honest', 'none'] satisfies Sitemaps[])
    .default('honest')
}

export function scoringFlag(): Option {
  return new Option('--scoring <name>', 'how results are ranked')
    .choices(Object.keys(SCORINGS))
    .default('default')
}

/** The items of a comma-separated flag, each one of those allowed; `usual` if it is left out. */
export function chosen<Item extends string>(
  flag: string,
  text: string | undefined,
  allowed: readonly Item[],
  usual: readonly Item[] = allowed,
): readonly Item[] {
  if (text === undefined) return usual
  const items = [...new Set(commaList(text))]
  if (items.length === 0) throw new UsageError(`${flag} names none: try ${usual.join(',')}`)
  return items.map((item) => {
    const known = allowed.find((one) => one === item)
    if (known === undefined)
      throw new UsageError(`${flag} must be of ${allowed.join(', ')}, not "${item}"`)
    return known
  })
}

/** The numbers of a comma-separated flag in per cent of the pages. */
export function percents(flag: string, text: string): number[] {
  const numbers = commaList(text).map(Number)
  if (numbers.length === 0 || !numbers.every((number) => number > 0 && number <= 100))
    throw new UsageError(`${flag} takes per cent of the pages, as in 2,5, not "${text}"`)
  return [...new Set(numbers)]
}
