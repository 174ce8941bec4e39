/**
 * The quality gained for a query when a page deserves another score than its stored one, by the scores of the query's
 * results, falling. A stored score that is found there is the page's own; of equal ones the last. One below
 * them all, or 0, is none of them. What the page passes gains or loses a rank. A place that has
 * the stored score may be told. Results are passed one by one: most pages pass few.
 *
 * @paper PandeyOlston2005 §5.1.2 — without approximation, in either direction.
 */
export function gainInList(
  scores: Float64Array,
  visibilities: Float64Array,
  storedScore: number,
  trueScore: number,
  place = -1,
): number {
  const from = place < 0 ? placeAfter(scores, storedScore) : lastLike(scores, place) + 1
  const isListed = scores[from - 1] === storedScore
  // Ranks count from 1, places from 0; its own place is freed.
  const rank = isListed ? from : scores.length + 1
  const seen = storedScore > 0 ? visibilities[rank] : 0
  let gain = 0
  let newRank = rank
  if (trueScore > storedScore) {
    while (newRank > 1 && scores[newRank - 2] < trueScore) newRank--
    for (let passed = newRank; passed < rank; passed++)
      gain += (visibilities[passed + 1] - visibilities[passed]) * scores[passed - 1]
  } else {
    for (; isListed && newRank < scores.length && scores[newRank] >= trueScore; newRank++)
      gain += (visibilities[newRank] - visibilities[newRank + 1]) * scores[newRank]
  }
  return gain + (visibilities[newRank] - seen) * trueScore
}

/** How many of falling scores are not below one; all, where it is 0. */
function placeAfter(scores: Float64Array, score: number): number {
  let low = 0
  let high = scores.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (scores[middle] < score) high = middle
    else low = middle + 1
  }
  return low
}

/** The last place that has the same score. */
function lastLike(scores: Float64Array, place: number): number {
  let last = place
  while (last + 1 < scores.length && scores[last + 1] === scores[place]) last++
  return last
}
