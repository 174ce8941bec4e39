/** Whether slow tests are to try all there is, as in CI; by default they try a sample. */
export const isThorough = process.env.FORAGER_CASES !== undefined

/** How many cases a slow property test tries: few by default, else as many as FORAGER_CASES says, if not too many; never fewer. */
export function cases(byDefault: number, most = Number.POSITIVE_INFINITY): number {
  if (!isThorough) return byDefault
  return Math.max(byDefault, Math.min(Number(process.env.FORAGER_CASES), most))
}

/** The first of some slow cases by default, all of them where tests are thorough. */
export function firstOf<Case>(count: number, all: readonly Case[]): Case[] {
  return isThorough ? [...all] : all.slice(0, count)
}
