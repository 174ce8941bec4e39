/** `[start, count, start, count, …]` of a list of line numbers. */
export function toRuns(lines: readonly number[]): number[] {
  const runs: number[] = []
  for (const line of lines) {
    const last = runs.length - 2
    if (last >= 0 && runs[last] + runs[last + 1] === line) runs[last + 1]++
    else runs.push(line, 1)
  }
  return runs
}
