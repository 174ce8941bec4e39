/** A function that never falls (or never rises), as plain data: linear between its knots, flat outside. */
export interface Isotonic {
  /** Ascending, none twice. */
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

/** Points with one value: their weighted mean is the nearest that monotony allows. */
interface Block {
  readonly weight: number
  /** Weighted means. */
  readonly x: number
  readonly y: number
  readonly firstX: number
  readonly lastX: number
}

/**
 * Least squares among functions that never fall, as blocks in ascending x and strictly ascending y
 * (pool adjacent violators). Points of one x are one; points without weight say nothing.
 */
export function poolViolators(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  weights?: ArrayLike<number>,
): Block[] {
  const order = Uint32Array.from({ length: xs.length }, (_, i) => i)
    .filter((i) => weights === undefined || weights[i] > 0)
    .sort((a, b) => xs[a] - xs[b] || a - b)
  const blocks: Block[] = []
  let point: Block | undefined
  for (const i of order) {
    const next = { weight: weights?.[i] ?? 1, x: xs[i], y: ys[i], firstX: xs[i], lastX: xs[i] }
    if (point !== undefined && point.x === next.x) {
      point = merged(point, next)
    } else {
      if (point !== undefined) pushPooled(blocks, point)
      point = next
    }
  }
  if (point !== undefined) pushPooled(blocks, point)
  return blocks
}

function pushPooled(blocks: Block[], point: Block): void {
  let block = point
  while (blocks.length > 0 && blocks[blocks.length - 1].y >= block.y)
    block = merged(blocks.pop()!, block)
  blocks.push(block)
}

function merged(a: Block, b: Block): Block {
  const weight = a.weight + b.weight
  return {
    weight,
    x: a.x === b.x ? a.x : (a.weight * a.x + b.weight * b.x) / weight,
    y: (a.weight * a.y + b.weight * b.y) / weight,
    firstX: a.firstX,
    lastX: b.lastX,
  }
}

/** Fits a function that never falls, or one that never rises. */
export function fitIsotonic(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  { weights, falling = false }: { weights?: ArrayLike<number>; falling?: boolean } = {},
): Isotonic {
  const sign = falling ? -1 : 1
  const blocks = poolViolators(
    xs,
    Float64Array.from(ys, (y) => sign * y),
    weights,
  )
  const knots = blocks.flatMap(({ firstX, lastX, y }) =>
    firstX === lastX ? [[firstX, sign * y]] : [firstX, lastX].map((x) => [x, sign * y]),
  )
  return { xs: knots.map(([x]) => x), ys: knots.map(([, y]) => y) }
}

/** The value at x; NaN if nothing was fitted. */
export function isotonicAt({ xs, ys }: Isotonic, x: number): number {
  if (xs.length === 0) return Number.NaN
  const above = firstAbove(xs, x)
  if (above === 0) return ys[0]
  if (above === xs.length) return ys[above - 1]
  const part = (x - xs[above - 1]) / (xs[above] - xs[above - 1])
  return ys[above - 1] + part * (ys[above] - ys[above - 1])
}

/** Index of the first knot above x. */
function firstAbove(xs: readonly number[], x: number): number {
  let low = 0
  let high = xs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (xs[middle] > x) high = middle
    else low = middle + 1
  }
  return low
}
