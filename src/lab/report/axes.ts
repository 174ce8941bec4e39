/** A function that takes [from, to] to [start, end]. */
export function scale(
  from: number,
  to: number,
  start: number,
  end: number,
): (value: number) => number {
  return (value) => (to === from ? start : start + ((value - from) / (to - from)) * (end - start))
}

/** About five round numbers that span the range; `smallest` is the least distance between them. */
export function roundTicks(low: number, high: number, smallest = 0): number[] {
  const span = high - low || Math.abs(high) || 1
  const magnitude = 10 ** Math.floor(Math.log10(span / 5))
  const round =
    [1, 2, 2.5, 5, 10]
      .map((factor) => factor * magnitude)
      .find((s) => span / s <= 6 && (smallest === 0 || Number.isInteger(s / smallest))) ?? span
  const step = Math.max(round, smallest)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

/** Round numbers within a range of positive numbers for a logarithmic axis: 1, 2, 5, 10, … */
export function logTicks(low: number, high: number): number[] {
  const powers: number[] = []
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) powers.push(power)
  const within = (factors: readonly number[]) =>
    powers
      .flatMap((power) => factors.map((factor) => Number((factor * 10 ** power).toPrecision(12))))
      .filter((tick) => tick >= low && tick <= high)
  const [fine, coarse] = [within([1, 2, 5]), within([1])]
  if (fine.length < 2) return [...new Set([low, high])]
  return fine.length <= 9 ? fine : coarse
}

/** 25083 → "25.1 k", 0.000001 → "1e-6". */
export function shortNumber(value: number): string {
  if (Math.abs(value) >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`
  if (Math.abs(value) >= 1e4) return `${Number((value / 1e3).toPrecision(3))} k`
  const rounded = Number(value.toPrecision(4))
  return value !== 0 && Math.abs(value) < 1e-4 ? rounded.toExponential() : String(rounded)
}

/** A coordinate to a tenth of a pixel: enough, and half the file. */
export function at(coordinate: number): string {
  return String(Math.round(coordinate * 10) / 10)
}
