import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** The commit this program was made from, if that is known: of the checkout, or noted when packed. */
export function commit(): string | undefined {
  return headOf(ROOT) ?? read(ROOT, 'dist/commit.txt')
}

/** Reads what `git rev-parse HEAD` would say, without needing git. */
export function headOf(checkout: string): string | undefined {
  // In a work tree of its own `.git` is a file that names a folder, which names the folder it shares.
  const linked = read(checkout, '.git')?.match(/^gitdir: (.+)$/)?.[1]
  const git = resolve(checkout, linked ?? '.git')
  const shared = resolve(git, read(git, 'commondir') ?? '.')
  const head = read(git, 'HEAD')
  const ref = head?.match(/^ref: (.+)$/)?.[1]
  if (ref === undefined) return head
  const packed = read(shared, 'packed-refs')?.split('\n')
  return read(shared, ref) ?? packed?.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
}

function read(folder: string, file: string): string | undefined {
  try {
    return readFileSync(resolve(folder, file), 'utf8').trim()
  } catch {
    return undefined
  }
}
