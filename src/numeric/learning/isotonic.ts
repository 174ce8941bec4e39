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
