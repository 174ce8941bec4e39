/** A point, or several that have one value: their weighted mean is the nearest that monotony allows. */
interface Point {
  readonly x: number
  readonly y: number
  readonly weight: number
}

/**
 * Least squares among functions that never fall, as blocks in ascending x and strictly ascending y
 * (pool adjacent violators). Points come in ascending x.
 */
export function poolViolators(points: readonly Point[]): Point[] {
  const blocks: Point[] = []
  for (const point of points) {
    let block = point
    while (blocks.length > 0 && blocks[blocks.length - 1].y >= block.y)
      block = merged(blocks.pop()!, block)
    blocks.push(block)
  }
  return blocks
}

function merged(a: Point, b: Point): Point {
  const weight = a.weight + b.weight
  const mean = (one: number, other: number) => (a.weight * one + b.weight * other) / weight
  return { weight, x: mean(a.x, b.x), y: mean(a.y, b.y) }
}
