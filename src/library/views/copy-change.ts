import { join } from 'node:path'
import type { PastContent } from '#repository/reports/url-reports.ts'
import { pageInWarc } from '#repository/warc/page-in-warc.ts'

/** A line of one of two texts, or of both. */
interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** What the latest content of a page says otherwise than the one before it. */
export interface CopyChange {
  /** When the two were fetched; seconds since 1970. */
  readonly before: number
  readonly after: number
  readonly lines: readonly DiffLine[]
  /** There is more of it than is shown. */
  readonly isCut: boolean
}

const MOST_LINES = 200
const CONTEXT = 1
/** Pairs of lines that are compared at most: longer stretches count as changed whole. */
const MOST_PAIRS = 1_000_000

/** The difference of a page's two latest contents, the latest first, as far as both were kept. */
export async function lastChange(
  dir: string,
  url: string,
  contents: readonly PastContent[],
): Promise<CopyChange | undefined> {
  const [after, before] = contents
  if (!before) return undefined
  const [now, then] = await Promise.all([after, before].map((one) => textOf(dir, url, one)))
  if (now === undefined || then === undefined) return undefined
  const lines = withContext(diffLines(then.split('\n'), now.split('\n')))
  const isCut = lines.length > MOST_LINES
  return { before: before.at, after: after.at, lines: lines.slice(0, MOST_LINES), isCut }
}

async function textOf(dir: string, url: string, content: PastContent): Promise<string | undefined> {
  const { warcFile: file, warcOffset: offset, at } = content
  if (file === undefined || offset === undefined) return undefined
  return (await pageInWarc(join(dir, 'warc'), { file, offset }, url, at))?.text
}

/** The lines of both texts in order: those of the longest common subsequence, and what was put in and taken out. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let [oldEnd, newEnd] = [before.length, after.length]
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--
    newEnd--
  }
  const same = (lines: readonly string[]) => lines.map((text) => ({ kind: 'same' as const, text }))
  return [
    ...same(before.slice(0, start)),
    ...diffMiddle(before.slice(start, oldEnd), after.slice(start, newEnd)),
    ...same(before.slice(oldEnd)),
  ]
}

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const width = after.length + 1
  const isLong = before.length * after.length > MOST_PAIRS
  // By place: lines in common of what follows in both.
  const common = new Uint32Array(isLong ? 0 : (before.length + 1) * width)
  if (!isLong)
    for (let i = before.length - 1; i >= 0; i--)
      for (let j = after.length - 1; j >= 0; j--)
        common[i * width + j] =
          before[i] === after[j]
            ? common[(i + 1) * width + j + 1] + 1
            : Math.max(common[(i + 1) * width + j], common[i * width + j + 1])
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const isSame = !isLong && i < before.length && j < after.length && before[i] === after[j]
    if (isSame) {
      lines.push({ kind: 'same', text: before[i++] })
      j++
    } else if (
      i < before.length &&
      (isLong || j >= after.length || common[(i + 1) * width + j] >= common[i * width + j + 1])
    )
      lines.push({ kind: 'removed', text: before[i++] })
    else lines.push({ kind: 'added', text: after[j++] })
  }
  return lines
}

/** Changed lines, and those next to them. */
function withContext(lines: readonly DiffLine[]): DiffLine[] {
  const isChanged = (at: number) => lines[at] !== undefined && lines[at].kind !== 'same'
  return lines.filter((_, at) => {
    for (let near = at - CONTEXT; near <= at + CONTEXT; near++) if (isChanged(near)) return true
    return false
  })
}
