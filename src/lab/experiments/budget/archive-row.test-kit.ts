import type { ArchiveRow } from './budget-summary.ts'

/** What one crawl came to, with nothing told but its shortfall. */
export function archiveRow(
  archive: string,
  policy: string,
  shortfall: number,
  some: Partial<ArchiveRow> = {},
): ArchiveRow {
  return {
    ...{ archive, policy, shortfall, quality: 1 - shortfall },
    ...{ start: 20, budget: 2, queries: 'repeated', split: 1 },
    shares: { acquire: 1, refresh: 0, discover: 0 },
    ...{ discoveryDelay: null, holdingDelay: null, valueCorrelation: null, valueBias: null },
    ...{ recovery: [], losses: null },
    ...some,
  }
}
