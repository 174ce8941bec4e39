import type { Random } from '#numeric/random.ts'

/** A draw from the gamma distribution with mean shape / rate (Marsaglia and Tsang's squeeze). */
export function gammaDraw(random: Random, shape: number, rate: number): number {
  // A shape below 1 is drawn as one above it, and scaled by a uniform draw.
  if (shape < 1) return gammaDraw(random, shape + 1, rate) * (1 - random.next()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = random.normal()
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - random.next()) < 0.5 * x * x + d - d * v + d * Math.log(v))
      return (d * v) / rate
  }
}
