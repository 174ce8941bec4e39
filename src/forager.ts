/**
 * Forager as a library: what the command line does, for other programs, as data.
 *
 *     import { openCrawl } from 'forager'
 *     await using crawl = await openCrawl({ dir: 'mycrawl', seeds: ['https://example.org/'], contact: 'you@example.org' })
 *     const { end, spent } = await crawl.run({ signal: AbortSignal.timeout(60_000) })
 *
 * Mistakes are `SettingError`s: each names a setting and a reason.
 */

/** Running: who hears what happens, and what came of it. */
export type { CrawlEnd, CrawlListener } from '#crawl/crawl.ts'
export type { CycleRecord } from '#crawl/ports.ts'
export { type Remedy, SettingError } from '#errors/setting-error.ts'
/** What a policy of a user's own needs: facts to read, and bids to make. */
export type { GraphFacts } from '#frontier/graph-facts.ts'
export type { FetchOutcome } from '#learn/entries/outcome.ts'
export {
  type Crawl,
  type CrawlView,
  lookAtCrawl,
  type OpenWith,
  openCrawl,
} from '#library/crawl.ts'
/** Asking: plans, explanations, status, searches. */
export type { Hold } from '#library/explain/explain-holds.ts'
export type {
  ExplainReport,
  KnownUrlReport,
  UnknownUrlReport,
} from '#library/explain/explain-report.ts'
/** Handing on: pages, links, fetches and queries as rows for others. */
export {
  type ExportOptions,
  type ExportSummary,
  exportCrawl,
  exportWacz,
} from '#library/export/export-crawl.ts'
export type { CrawlNote, NoteListener } from '#library/open/crawl-note.ts'
export { type CrawlPlan, type PlannedUrl, planOfCycle } from '#library/plan/plan-fetches.ts'
/** What searchers want: query logs, and what the crawl cannot answer yet. */
export {
  type ImportLogOptions,
  importQueryList,
  importQueryLogs,
  UnusableLogError,
} from '#library/queries/import-log.ts'
export { type NeedyReport, type NeedyRow, needyQueries } from '#library/queries/needy-queries.ts'
export type { CrawlSummary } from '#library/run/crawl-summary.ts'
export type { RunListener, RunningCrawl, RunOptions } from '#library/run/run-crawl.ts'
export type { ShownAnswer, ShownResult } from '#library/search/search-results.ts'
/** Running for good, at a rate. */
export { runService, type ServiceOptions } from '#library/service/run-service.ts'
export type { ServiceRate } from '#library/service/service-pace.ts'
export type { CrawlOptions } from '#library/settings/crawl-options.ts'
export type { Secret, SiteCredentials, SiteSetting } from '#library/settings/site-setting.ts'
export { type CrawlStatus, readStatus } from '#library/status/status.ts'
export type { Csr } from '#numeric/csr.ts'
export type { Bids, ExpectedLinks, Purpose } from '#policy/bids.ts'
/** Policies of your own. */
export {
  type Bidder,
  type BidderDefinition,
  defineBidder,
  type FactName,
  type Facts,
} from '#policy/define-bidder.ts'
export type { ImportReport } from '#repository/queries/import-queries.ts'
