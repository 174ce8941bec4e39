import { randomUUID } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncToDisk } from '../durable-file.ts'
import { makeFolder } from '../make-folder.ts'

/** What is done for every bucket of an epoch, one after the other. */
export const PHASES = ['tell', 'learn', 'bid', 'cut'] as const
export type Phase = (typeof PHASES)[number]

const CRAWL = 'buckets.json'
/** In each folder: how long its files are. */
const SIZES = 'files.json'

/**
 * The folder of a crawl in buckets. Nothing in it is ever changed: a file or folder is made under a name of its own, and
 * takes its place when it is whole. Whoever comes second with the same one throws his away, so that it does not
 * matter how often, where or by how many something is made.
 */
export class BucketsFolder {
  readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  /** Whether there is a crawl in buckets. */
  static isAt(dir: string): boolean {
    return existsSync(join(dir, CRAWL))
  }

  get crawlPath(): string {
    return join(this.dir, CRAWL)
  }

  /** A file of an epoch that is not of one bucket. */
  ofEpoch(epoch: number, name: string): string {
    return join(this.dir, `epoch=${numbered(epoch)}`, name)
  }

  /** What a phase makes of a bucket. */
  partOf(epoch: number, phase: Phase, bucket: number): string {
    return this.ofEpoch(epoch, join(phase, `bucket=${numbered(bucket)}`))
  }

  /** The buckets of a phase that are not made yet, or not whole any more. */
  lacking(epoch: number, phase: Phase, buckets: number): number[] {
    return Array.from({ length: buckets }, (_, bucket) => bucket).filter(
      (bucket) => !isWhole(this.partOf(epoch, phase, bucket)),
    )
  }

  /** Makes a folder, unless it is there; `write` fills it under another name. */
  async make(path: string, write: (draft: string) => Promise<void>): Promise<void> {
    if (isWhole(path)) return
    rmSync(path, { recursive: true, force: true })
    const draft = join(dirname(path), `.${basename(path)}-${randomUUID()}`)
    makeFolder(draft)
    try {
      await write(draft)
      writeFileSync(join(draft, SIZES), JSON.stringify(sizesIn(draft)))
      renameSync(draft, path)
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      if (!isWhole(path)) throw error // else somebody else was faster
    }
  }

  /** Makes a JSON file, unless it is there; gives what it says. */
  async makeJson<T>(path: string, tell: () => T | Promise<T>): Promise<T> {
    if (!existsSync(path)) {
      const text = `${JSON.stringify(await tell(), null, 1)}\n`
      const draft = join(dirname(path), `.${basename(path)}-${randomUUID()}`)
      makeFolder(dirname(path))
      writeFileSync(draft, text)
      syncToDisk(draft)
      renameSync(draft, path)
      syncToDisk(dirname(path))
    }
    return readJson(path)
  }

  /** Takes away what killed processes left of an epoch: of a phase that is done, or of what one process makes alone. */
  sweep(epoch: number, phase: Phase | '' = ''): void {
    const path = this.ofEpoch(epoch, phase)
    for (const name of existsSync(path) ? readdirSync(path) : [])
      if (name.startsWith('.')) rmSync(join(path, name), { recursive: true, force: true })
  }
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function sizesIn(folder: string): Record<string, number> {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => [name, statSync(join(folder, name))] as const)
  return Object.fromEntries(
    sizes.filter(([, file]) => file.isFile()).map(([name, { size }]) => [name, size]),
  )
}

/**
 * Whether a folder is there with all its files. What a power cut takes of a file that nobody has waited for is missing at its
 * end; as it can be made again, to look is cheaper than to wait for the disk.
 */
function isWhole(folder: string): boolean {
  try {
    const sizes: Record<string, number> = readJson(join(folder, SIZES))
    return Object.entries(sizes).every(([name, size]) => statSync(join(folder, name)).size === size)
  } catch {
    return false
  }
}

function numbered(number: number): string {
  return String(number).padStart(6, '0')
}
