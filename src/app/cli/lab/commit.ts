import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** The commit this program was made from, if that is known: of the checkout, or noted when packed. */
export function commit(): string | undefined {
  return head() ?? read('dist/commit.txt')
}

/** Reads what `git rev-parse HEAD` would say, without needing git. In a linked worktree .git is a file. */
function head(): string | undefined {
  const own = read('.git')?.match(/^gitdir: (.+)$/)?.[1] ?? '.git'
  const shared = resolve(ROOT, own, read(`${own}/commondir`) ?? '.')
  const head = read(`${own}/HEAD`)
  const ref = head?.match(/^ref: (.+)$/)?.[1]
  if (ref === undefined) return head
  const packed = read(`${shared}/packed-refs`)?.split('\n')
  return read(`${shared}/${ref}`) ?? packed?.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
}

function read(file: string): string | undefined {
  try {
    return readFileSync(resolve(ROOT, file), 'utf8').trim()
  } catch {
    return undefined
  }
}
