import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from '../durable-file.ts'
import { sealedLine, unsealedLine } from '../sealed-line.ts'

/** Bytes [from, to) of a WARC file that hold no record any more; they may lie behind its end. */
export interface DamagedStretch {
  readonly file: string
  readonly from: number
  readonly to: number
}

/** Lists what a repair found: files keep their bytes, as tables know records by their offsets. */
const STRETCHES_FILE = 'damaged.jsonl'

/** What is known to be damaged in a folder. A line that is damaged itself says nothing, and is found again. */
export function readStretches(folder: string): DamagedStretch[] {
  const path = join(folder, STRETCHES_FILE)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line) => {
    const json = unsealedLine(line)
    return json === undefined ? [] : [JSON.parse(json) as DamagedStretch]
  })
}

export function writeStretches(folder: string, stretches: readonly DamagedStretch[]): void {
  const lines = stretches.map(({ file, from, to }) => sealedLine({ file, from, to }))
  writeDurably(join(folder, STRETCHES_FILE), Buffer.from(lines.join('')))
}

/** Whether a file is damaged anywhere: nothing is appended to it any more, lest it lie where something was lost. */
export function hasStretch(folder: string, file: string): boolean {
  return readStretches(folder).some((stretch) => stretch.file === file)
}

/** Whether a place in a file is known to be damaged. */
export function isSettled(
  stretches: readonly DamagedStretch[],
  file: string,
  offset: number,
): boolean {
  return stretches.some((one) => one.file === file && one.from <= offset && offset < one.to)
}
