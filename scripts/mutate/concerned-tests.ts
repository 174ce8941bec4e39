import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The files of `src` that a file imports more than types of. */
function importsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8')
  return Array.from(source.matchAll(/^import (?!type )[^']*from '([#.][^']+)'/gm), ([, target]) =>
    target.startsWith('#') ? `src/${target.slice(1)}` : join(dirname(path), target),
  )
}

/** The file's own test, then tests of its room that import it; if there are none, tests that import it or its importers. */
export function concernedTests(file: string): string[] {
  const imports = new Map(globSync('src/**/*.ts').map((path) => [path, importsOf(path)]))
  const isTest = (path: string) => path.endsWith('.test.ts')
  const importers = (targets: readonly string[]) =>
    [...imports].filter(([, own]) => own.some((one) => targets.includes(one))).map(([path]) => path)
  const sibling = file.replace(/\.ts$/, '.test.ts')
  const near = importers([file])
  const room = file.split('/', 2).join('/')
  const found = [
    [sibling, ...near].filter((path) => path.startsWith(`${room}/`)),
    near,
    importers(near),
  ]
    .map((paths) => paths.filter((path) => isTest(path) && imports.has(path)))
    .find((tests) => tests.length > 0)
  return [...new Set(found)]
}
