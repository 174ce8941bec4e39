/** Spearman's rank correlation, −1 to 1; ties share their mean rank. 0 where one side is all alike. */
export function rankCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return correlation(meanRanks(a), meanRanks(b))
}

/** Pearson's correlation, −1 to 1; 0 where one side is all alike. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const meanA = meanOf(a)
  const meanB = meanOf(b)
  let together = 0
  let spreadA = 0
  let spreadB = 0
  for (let i = 0; i < a.length; i++) {
    together += (a[i] - meanA) * (b[i] - meanB)
    spreadA += (a[i] - meanA) ** 2
    spreadB += (b[i] - meanB) ** 2
  }
  const spread = Math.sqrt(spreadA) * Math.sqrt(spreadB)
  return spread > 0 ? together / spread : 0
}

/** The rank of each value, the smallest 1; equal values get the mean of the ranks they take up. */
export function meanRanks(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i)
  order.sort((a, b) => values[a] - values[b])
  const ranks = new Float64Array(values.length)
  for (let first = 0; first < order.length; ) {
    let end = first + 1
    while (end < order.length && values[order[end]] === values[order[first]]) end++
    for (let i = first; i < end; i++) ranks[order[i]] = (first + 1 + end) / 2
    first = end
  }
  return ranks
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]
  return sum / values.length
}
