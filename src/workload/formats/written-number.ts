/**
 * A count as people and spreadsheets write it: `1234`, `1,234`, `1.234`, `1 234`; undefined if it is
 * none. A group of three digits after a separator is taken for thousands.
 */
export function writtenCount(text: string): number | undefined {
  const bare = text.trim()
  if (/^\d{1,15}$/.test(bare)) return Number(bare)
  if (/^\d{1,3}(?:[., '’\u00a0\u202f]\d{3}){1,4}$/.test(bare))
    return Number(bare.replace(/\D/g, ''))
  return undefined
}

/** A fraction with a point or a comma, as in `3.7` or `3,7`; undefined if it is none. */
export function writtenDecimal(text: string): number | undefined {
  const bare = text.trim().replace(',', '.')
  return /^\d{1,15}(?:\.\d{1,15})?$/.test(bare) ? Number(bare) : undefined
}
