/**
 * How alike two sets of URLs are: what they share, of all that either has. Both ascending, each URL
 * once. Undefined for two empty sets.
 *
 * @paper FetterlyCraswellVinay2009 §3.4
 */
export function jaccard(a: Uint32Array, b: Uint32Array): number | undefined {
  const shared = sharedCount(a, b)
  const all = a.length + b.length - shared
  return all === 0 ? undefined : shared / all
}

/** How many URLs are in both sets; both ascending, each URL once. */
function sharedCount(a: Uint32Array, b: Uint32Array): number {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = a[i] - b[j]
    if (difference === 0) shared++
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return shared
}
