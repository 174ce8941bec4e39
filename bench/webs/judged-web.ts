import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { runForager } from '../harness/run-program.ts'

const TOP = 10

function rowsOf(web: string, file: string): string[][] {
  const lines = gunzipSync(readFileSync(join(web, file)))
    .toString()
    .trimEnd()
    .split('\n')
  return lines.slice(1).map((line) => line.split('\t'))
}

/** Imports the queries of a model web as a log. */
export async function importQueries(web: string, dir: string): Promise<void> {
  const log = `${dir}.csv`
  const lines = rowsOf(web, 'queries.tsv.gz').map(([, text, weight]) => `${text},${weight}`)
  writeFileSync(log, `query,count\n${lines.join('\n')}\n`)
  await runForager('queries', 'import', log, '--format', 'csv', '--dir', dir, '--json')
}

/** The best NDCG that any ranking could reach with the pages there are, mean over searches: by judgments, so by no engine. */
export function judge(web: string): (pages: readonly string[]) => number {
  const weights = new Map(
    rowsOf(web, 'queries.tsv.gz').map(([id, , weight]) => [id, Number(weight)]),
  )
  const grades = Map.groupBy(rowsOf(web, 'qrels.tsv.gz'), ([query]) => query)
  const gainOf = (judged: readonly string[][]) => {
    const best = judged.map(([, , grade]) => 2 ** Number(grade) - 1).sort((a, b) => b - a)
    return best.slice(0, TOP).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
  }
  return (pages) => {
    const held = new Set(pages.map((url) => new URL(url).href))
    let [sum, total] = [0, 0]
    for (const [query, judged] of grades) {
      const ideal = gainOf(judged)
      if (ideal === 0) continue
      const weight = weights.get(query) ?? 0
      total += weight
      sum += (weight * gainOf(judged.filter(([, url]) => held.has(new URL(url).href)))) / ideal
    }
    return sum / total
  }
}
