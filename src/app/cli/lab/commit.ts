import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** The commit this program was made from, if that is known: of the checkout, or noted when packed. */
export function commit(): string | undefined {
  return headOf('.git') ?? read('dist/commit.txt')
}

/** Reads what `git rev-parse HEAD` would say, without needing git. */
function headOf(gitDir: string): string | undefined {
  const head = read(`${gitDir}/HEAD`)
  const ref = head?.match(/^ref: (.+)$/)?.[1]
  if (ref === undefined) return head
  const packed = read(`${gitDir}/packed-refs`)?.split('\n')
  return read(`${gitDir}/${ref}`) ?? packed?.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
}

function read(file: string): string | undefined {
  try {
    return readFileSync(join(ROOT, file), 'utf8').trim()
  } catch {
    return undefined
  }
}
