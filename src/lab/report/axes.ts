/** Where everything is in a picture; the legend stands to the right of the plot. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export const LEGEND_STEP = 20
const LEFT = 64
const TOP = 36
const PLOT_WIDTH = 526
/** Room for a legend's mark, and for one sign of a name at 12 px. */
const LEGEND_MARK = 56
const SIGN_WIDTH = 6.8

/** A frame with room for the names of its legend: long ones make it wider, many make it higher. */
export function frameFor(names: readonly string[], plotHeight: number, bottom: number): Frame {
  const longest = names.reduce((most, name) => Math.max(most, name.length), 8)
  const right = Math.ceil(LEGEND_MARK + SIGN_WIDTH * longest)
  const height = TOP + Math.max(plotHeight, names.length * LEGEND_STEP) + bottom
  return { width: LEFT + PLOT_WIDTH + right, height, left: LEFT, right, top: TOP, bottom }
}

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
    [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((s) => span / s <= 6) ?? span
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

/** 25083 → "25.1 k". */
export function shortNumber(value: number): string {
  if (Math.abs(value) >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`
  if (Math.abs(value) >= 1e4) return `${Number((value / 1e3).toPrecision(3))} k`
  return String(Number(value.toPrecision(4)))
}

/** A coordinate to a tenth of a pixel: enough, and half the file. */
export function at(coordinate: number): string {
  return String(Math.round(coordinate * 10) / 10)
}

/** A line across the plot with its value to the left. */
export function gridLine({ left, width, right }: Frame, tick: number, y: number): string {
  return `<line x1="${left}" x2="${width - right}" y1="${at(y)}" y2="${at(y)}" class="grid"/><text x="${left - 8}" y="${at(y + 4)}" class="tick end">${shortNumber(tick)}</text>`
}
