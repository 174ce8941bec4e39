import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The files of `src` that a file imports more than types of. */
function importsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8')
  return Array.from(source.matchAll(/^import (?!type )[^']*from '([#.][^']+)'/gm), ([, target]) =>
    target.startsWith('#') ? `src/${target.slice(1)}` : join(dirname(path), target),
  )
}

/** Tests of a file's room that import it, its own first, or import what imports it; if there are none, such tests of any room. */
export function concernedTests(file: string): string[] {
  const imports = new Map(globSync('src/**/*.ts').map((path) => [path, importsOf(path)]))
  const importers = (targets: readonly string[]) =>
    [...imports].filter(([, own]) => own.some((one) => targets.includes(one))).map(([path]) => path)
  const sibling = file.replace(/\.ts$/, '.test.ts')
  const near = [sibling, ...importers([file])].filter((path) => imports.has(path))
  const candidates = [near, importers(near)].map((paths) => paths.filter(isTest))
  const room = file.split('/', 2).join('/')
  const inRoom = candidates.map((tests) => tests.filter((path) => path.startsWith(`${room}/`)))
  return [...new Set([...inRoom, ...candidates].find((tests) => tests.length > 0))]
}

const isTest = (path: string): boolean => path.endsWith('.test.ts')
