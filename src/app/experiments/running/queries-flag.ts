import { Option } from 'commander'
import { CRAWL_SPLITS } from '#lab/judging/query-split.ts'

/** The flag that says how much a crawl may know of the queries it is judged by. */
export function queriesFlag(): Option {
  return new Option(
    '--queries <kind>',
    'what the crawl knows of the queries it is judged by: another log of the same searchers, other queries (half), the same, or none',
  )
    .choices(CRAWL_SPLITS)
    .default('log')
}
