const BARS = '▁▂▃▄▅▆▇█'

/** A row of numbers as a row of bars, the highest for the largest, the lowest for 0 and less; longer rows are averaged down to `width`. */
export function sparkline(values: readonly number[], width = 40): string {
  const shown = averaged(values, width)
  const most = Math.max(...shown)
  return shown
    .map((value) => BARS[value > 0 ? Math.round((value / most) * (BARS.length - 1)) : 0])
    .join('')
}

/** At most so many means of neighbours, in order. */
function averaged(values: readonly number[], most: number): number[] {
  const count = Math.min(most, values.length)
  return Array.from({ length: count }, (_, place) => {
    const from = Math.floor((place * values.length) / count)
    const some = values.slice(from, Math.floor(((place + 1) * values.length) / count))
    return some.reduce((sum, value) => sum + value, 0) / some.length
  })
}
