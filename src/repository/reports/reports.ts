import type { DuckDBConnection } from '@duckdb/node-api'
import { BudgetReports } from './budget-reports.ts'
import { HostReports } from './host-reports.ts'
import { QueryReports } from './query-reports.ts'
import { SummaryReports } from './summary-reports.ts'
import { TimeReports } from './time-reports.ts'
import { UrlReports } from './url-reports.ts'

/** What the tables of a crawl tell people: named questions, answered with data. */
export type Reports = ReturnType<typeof reportsOf>

export function reportsOf(connection: DuckDBConnection) {
  return {
    urls: new UrlReports(connection),
    budget: new BudgetReports(connection),
    summary: new SummaryReports(connection),
    time: new TimeReports(connection),
    hosts: new HostReports(connection),
    queries: new QueryReports(connection),
  }
}
