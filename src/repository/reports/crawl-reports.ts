import type { DuckDBConnection } from '@duckdb/node-api'
import { BudgetReports } from './budget-reports.ts'
import { SummaryReports } from './summary-reports.ts'
import { UrlReports } from './url-reports.ts'

/** What a crawl's tables tell people: named questions, answered with data. */
export class CrawlReports {
  readonly urls: UrlReports
  readonly budget: BudgetReports
  readonly summary: SummaryReports

  constructor(connection: DuckDBConnection) {
    this.urls = new UrlReports(connection)
    this.budget = new BudgetReports(connection)
    this.summary = new SummaryReports(connection)
  }
}
