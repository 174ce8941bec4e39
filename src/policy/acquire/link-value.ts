import type { Survey } from './survey.ts'

/**
 * What URLs are worth by PageRank: in all as much as `others`, which are of the same URLs; if those come to nothing, so
 * little that only the order counts.
 */
export function linkValue(
  { urls, traits: { ranks } }: Pick<Survey, 'urls' | 'traits'>,
  others: Float64Array,
): Float64Array {
  let [value, rank] = [0, 0]
  for (let i = 0; i < urls.length; i++) {
    value += others[i]
    rank += ranks[urls[i]]
  }
  const scale = Math.max(value, Number.EPSILON) / rank
  const values = new Float64Array(urls.length)
  for (let i = 0; i < urls.length; i++) values[i] = scale * ranks[urls[i]]
  return values
}
