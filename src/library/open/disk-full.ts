const CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** The same three in the words of the C library, as DuckDB quotes them. */
const WORDS = /No space left on device|Disk quota exceeded|File too large|failed to write.*space/i

/** Whether an error, or one that caused it, means that no more can be written. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; depth++) {
    if (CODES.has((cause as NodeJS.ErrnoException).code ?? '')) return true
    if (WORDS.test(cause.message)) return true
    cause = cause.cause
  }
  return false
}
