import { statSync } from 'node:fs'

/** What tells whether one of these files has changed, or has come or gone. */
export function stampOf(...paths: readonly string[]): string {
  return paths
    .map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : ''))
    .join()
}
