import { join } from 'node:path'
import { runProgram } from '../harness/run-program.ts'

const WRITER = join(import.meta.dirname, 'write-crawl-dir.ts')

/** Writes a crawl directory of the size asked for, by a process of its own; gives how many fetches it has. */
export async function writeCrawlDir(
  dir: string,
  { urls, links, seed }: { readonly urls: number; readonly links: number; readonly seed: number },
): Promise<number> {
  console.error('writing a crawl directory …')
  const { result } = await runProgram(WRITER, [dir, urls, links, seed])
  return Number(result.fetches)
}
