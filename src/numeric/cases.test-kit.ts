/** Whether slow tests are to try all there is, as in CI; by default they try a sample. */
export const isThorough = process.env.FORAGER_CASES !== undefined

/** How many cases a slow property test tries: few by default, else as many as FORAGER_CASES says. */
export function cases(byDefault: number): number {
  return isThorough ? Number(process.env.FORAGER_CASES) : byDefault
}
