import { createReadStream, existsSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { putInPlace } from '../durable-file.ts'
import { LineCutter } from '../line-cutter.ts'

const LINE_FEED = Buffer.from('\n')
const BATCH_BYTES = 1 << 20

/**
 * Sorts an index by bytes, as readers expect it, and drops doublets. What was sorted before stays on
 * disk and is merged with the lines appended since, so that only these are in memory. The new file
 * takes the old one's place in one step.
 */
export async function sortCdxj(path: string): Promise<void> {
  if (!existsSync(path)) return
  const sortedBytes = await sortedPrefix(path)
  const tail = await Array.fromAsync(bufferLines(path, sortedBytes))
  if (tail.length === 0) return
  tail.sort(Buffer.compare)
  const partial = `${path}.partial`
  const file = await open(partial, 'w')
  try {
    let batch: Buffer[] = []
    let batchBytes = 0
    for await (const line of withoutDoublets(merged(prefixLines(path, sortedBytes), tail))) {
      batch.push(line, LINE_FEED)
      batchBytes += line.length + 1
      if (batchBytes < BATCH_BYTES) continue
      await file.writeFile(Buffer.concat(batch))
      batch = []
      batchBytes = 0
    }
    await file.writeFile(Buffer.concat(batch))
    await file.close()
    putInPlace(partial, path)
  } catch (error) {
    await file.close().catch(() => undefined)
    rmSync(partial, { force: true })
    throw error
  }
}

/** Calls `visit` with each whole line and where it ends; gives where the last whole line ends. */
export async function forEachCdxjLine(
  path: string,
  visit: (line: string, end: number) => void,
): Promise<number> {
  let end = 0
  for await (const line of bufferLines(path, 0)) {
    end += line.length + 1
    visit(line.toString(), end)
  }
  return end
}

async function sortedPrefix(path: string): Promise<number> {
  let last: Buffer | undefined
  let bytes = 0
  for await (const line of bufferLines(path, 0)) {
    if (last && Buffer.compare(last, line) >= 0) break
    bytes += line.length + 1
    last = line
  }
  return bytes
}

async function* prefixLines(path: string, bytes: number): AsyncGenerator<Buffer> {
  if (bytes > 0) yield* bufferLines(path, 0, bytes)
}

async function* merged(first: AsyncGenerator<Buffer>, second: Buffer[]): AsyncGenerator<Buffer> {
  let next = 0
  for await (const line of first) {
    while (next < second.length && Buffer.compare(second[next], line) < 0) yield second[next++]
    yield line
  }
  while (next < second.length) yield second[next++]
}

async function* withoutDoublets(lines: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let last: Buffer | undefined
  for await (const line of lines) {
    if (last?.equals(line)) continue
    yield line
    last = line
  }
}

/** Whole lines, without their line feeds. */
async function* bufferLines(path: string, start: number, end?: number): AsyncGenerator<Buffer> {
  const range = end === undefined ? { start } : { start, end: end - 1 }
  const cutter = new LineCutter()
  for await (const chunk of createReadStream(path, { ...range, highWaterMark: BATCH_BYTES }))
    yield* cutter.linesIn(chunk)
}
