import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The files of `src` that a file imports more than types of. */
function importsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8')
  return Array.from(source.matchAll(/^import (?!type )[^']*from '([#.][^']+)'/gm), ([, target]) =>
    target.startsWith('#') ? `src/${target.slice(1)}` : join(dirname(path), target),
  )
}

/** The tests of a file, and those that import it; if there are none, the tests of files that import it. */
export function concernedTests(file: string): string[] {
  const imports = new Map(globSync('src/**/*.ts').map((path) => [path, importsOf(path)]))
  const isTest = (path: string) => path.endsWith('.test.ts')
  const importers = (targets: readonly string[]) =>
    [...imports].filter(([, own]) => own.some((one) => targets.includes(one))).map(([path]) => path)
  const sibling = file.replace(/\.ts$/, '.test.ts')
  const near = importers([file])
  const tests = [sibling, ...near].filter((path) => isTest(path) && imports.has(path))
  return [...new Set(tests.length > 0 ? tests : importers(near).filter(isTest))]
}
