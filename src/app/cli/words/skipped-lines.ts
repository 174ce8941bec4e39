import type { ImportReport } from '#repository/queries/import-queries.ts'

/** Malformed lines named one by one; beyond that they are counted. */
const NAMED_LINES = 20

/** The lines of query logs that could not be read, for people. */
export function skippedLines({ skipped, skippedByReason }: ImportReport): string[] {
  const named = skipped
    .slice(0, NAMED_LINES)
    .map(({ file, line, reason }) => `${file}, line ${line}: ${reason}; skipped`)
  const total = Object.values(skippedByReason).reduce((sum, count) => sum + count, 0)
  if (total > named.length)
    named.push(
      `… and ${(total - named.length).toLocaleString('en')} more malformed lines (see --json)`,
    )
  return named
}
