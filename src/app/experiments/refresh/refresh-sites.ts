import type {
  EqualQuality,
  RefreshFindings,
  RefreshProtocol,
  RefreshRow,
} from '#lab/experiments/refresh/refresh.ts'

/** What one step finds: one protocol and scoring on one archive and workload. */
export interface RefreshFound extends RefreshFindings {
  readonly archive: string
  readonly workload: string
  readonly queries: number
  readonly pages: number
  readonly weeks: number
}

/** A row with the site it is of: an archive under a workload. */
export interface SiteRow extends RefreshRow {
  readonly archive: string
  readonly workload: string
}

export interface SiteEquality extends EqualQuality {
  readonly archive: string
  readonly workload: string
}

/** Of several thresholds the best, at each budget. */
export function bestTaus(rows: readonly SiteRow[]): SiteRow[] {
  const best = new Map<string, SiteRow>()
  for (const row of rows) {
    const { archive, workload, scoring, estimates, lastmod, policy, percent } = row
    const key = [archive, workload, scoring, estimates, lastmod, policy, percent].join(' ')
    const rival = best.get(key)
    if (!rival || row.quality > rival.quality) best.set(key, row)
  }
  return [...best.values()]
}

/** The name under which rows of a protocol are compared. */
export function policyName({ policy, lastmod }: RefreshRow): string {
  return lastmod === 'none' ? policy : `${policy}+${lastmod}`
}

export const PROTOCOL_ORDER: readonly RefreshProtocol[] = ['whole', 'split', 'online']
