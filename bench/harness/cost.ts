/** What a step took. The peak is the process's so far, since the system keeps no other. */
export interface Cost {
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly peakRssMb: number
}

/** Runs a step, says on stderr what it took, and gives that with its result. */
export async function measure<T>(
  step: string,
  work: () => T | Promise<T>,
): Promise<{ readonly result: T; readonly cost: Cost }> {
  const cpuBefore = process.cpuUsage()
  const wallBefore = performance.now()
  const result = await work()
  const { user, system } = process.cpuUsage(cpuBefore)
  const cost: Cost = {
    cpuSeconds: rounded((user + system) / 1e6),
    wallSeconds: rounded((performance.now() - wallBefore) / 1000),
    peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
  }
  console.error(
    `${step}: ${cost.cpuSeconds} CPU-s, ${cost.wallSeconds} s, ${cost.peakRssMb} MB peak`,
  )
  return { result, cost }
}

/** To a thousandth. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
