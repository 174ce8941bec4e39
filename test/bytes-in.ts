import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** By path: the bytes of every file below a folder. */
export function bytesIn(dir: string): Map<string, string> {
  const entries = readdirSync(dir, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const paths = files.map((file) => join(file.parentPath, file.name)).sort()
  return new Map(
    paths.map((path) => [path.slice(dir.length), readFileSync(path).toString('latin1')]),
  )
}
