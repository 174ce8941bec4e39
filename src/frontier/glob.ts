/**
 * Tests URLs against a pattern in which `*` stands for anything, also nothing; all else is literal.
 * A pattern need not say the scheme: `example.org/private/*` is meant for http and https. Matching
 * is greedy from part to part, so no pattern takes more than linear time a part.
 */
export function globTest(pattern: string): (url: string) => boolean {
  const parts = pattern.split('*')
  const bare = !/^(https?:|\*)/.test(pattern)
  return (url) => matches(parts, bare ? url.replace(/^https?:\/\//, '') : url)
}

function matches(parts: readonly string[], text: string): boolean {
  const [first, ...rest] = parts
  if (!text.startsWith(first)) return false
  if (rest.length === 0) return text === first
  const last = rest[rest.length - 1]
  let at = first.length
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
