import { checkSearchLog, repairSearchLog } from '../queries/check-search-log.ts'
import { checkIndex } from '../text-index/check-index.ts'
import { checkWarcs, repairWarcs } from '../warc/check/check-warcs.ts'
import type { Part } from './check-crawl.ts'
import { indexedPagesPart } from './check-indexed-pages.ts'
import { journalPart } from './check-journal.ts'
import { tablesPart } from './check-tables.ts'
import { rebuildIndex } from './rebuild-index.ts'

const warcPart: Part = {
  name: 'WARC files',
  paths: ['warc'],
  whileCrawling: false,
  check: ({ dir, warcDir }) => checkWarcs(dir, warcDir),
  repair: ({ dir, warcDir }) => repairWarcs(dir, warcDir),
}

const indexPart: Part = {
  name: 'index',
  paths: ['index'],
  whileCrawling: false,
  check: ({ dir }) => checkIndex(dir),
  repair: ({ dir, warcDir }) => rebuildIndex(dir, warcDir),
}

const searchLogPart: Part = {
  name: 'query log of the search page',
  paths: ['queries'],
  whileCrawling: true,
  check: ({ dir }) => checkSearchLog(dir),
  repair: ({ dir }) => repairSearchLog(dir),
}

/** All that a crawl's directory holds, in the order in which it is mended: each is made from those before it. */
export const PARTS: readonly Part[] = [
  journalPart,
  tablesPart,
  warcPart,
  indexPart,
  indexedPagesPart,
  searchLogPart,
]
