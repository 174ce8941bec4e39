import { rounded } from '../harness/cost.ts'
import type { ProgramRun } from '../harness/run-program.ts'

/** What one crawl of the site came to. */
export interface CrawlFigures {
  readonly pages: number
  readonly pagesPerS: number
  /** CPU seconds (user and system, all threads) for 1,000 pages, start-up included. */
  readonly cpuPer1000: number
  /** Undefined where the program cannot tell. */
  readonly rssMb?: number
}

/** Fails if pages are missing. */
export function figuresOf(
  who: string,
  found: number,
  pages: number,
  run: Pick<ProgramRun, 'wallSeconds' | 'cpuSeconds'> & { readonly rssMb?: number },
): CrawlFigures {
  if (found < pages) throw new Error(`${who} found ${found} of ${pages} pages`)
  const figures = {
    pages: found,
    pagesPerS: rounded(found / run.wallSeconds),
    cpuPer1000: rounded((run.cpuSeconds / found) * 1000),
    rssMb: run.rssMb,
  }
  console.error(`${who}: ${JSON.stringify(figures)}`)
  return figures
}

/** Figure by figure; of an even number of runs the mean of the middle two. */
export function medianOf(runs: readonly CrawlFigures[]): CrawlFigures {
  const of = (figure: (run: CrawlFigures) => number) => {
    const sorted = runs.map(figure).sort((a, b) => a - b)
    const middle = sorted.length / 2
    return rounded((sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2)
  }
  return {
    pages: of(({ pages }) => pages),
    pagesPerS: of(({ pagesPerS }) => pagesPerS),
    cpuPer1000: of(({ cpuPer1000 }) => cpuPer1000),
    ...(runs[0].rssMb !== undefined && { rssMb: of(({ rssMb }) => rssMb ?? 0) }),
  }
}
