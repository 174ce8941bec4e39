/** By what factor a signal that raises the odds of something raises its chance. */
export function believed(chance: number, oddsFactor: number): number {
  return oddsFactor === 1 ? 1 : oddsFactor / (oddsFactor * chance + 1 - chance)
}
