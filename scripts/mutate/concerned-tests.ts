import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The files of `src` that a file imports more than types of. */
function importsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8')
  return Array.from(source.matchAll(/^import (?!type )[^']*from '([#.][^']+)'/gm), ([, target]) =>
    target.startsWith('#') ? `src/${target.slice(1)}` : join(dirname(path), target),
  )
}

/**
 * The tests that import a file, its own first, and those beside it that import what imports it: of its room, or if there are
 * none, of any.
 */
export function concernedTests(file: string): string[] {
  const imports = new Map(globSync('src/**/*.ts').map((path) => [path, importsOf(path)]))
  const importers = (targets: readonly string[]) =>
    [...imports].filter(([, own]) => own.some((one) => targets.includes(one))).map(([path]) => path)
  const room = file.split('/', 2).join('/')
  const near = [file.replace(/\.ts$/, '.test.ts'), ...importers([file])]
  const far = importers(near)
  const beside = far.filter((path) => dirname(path) === dirname(file))
  const choices = [
    [...near, ...beside].filter((path) => path.startsWith(`${room}/`)),
    far.filter((path) => path.startsWith(`${room}/`)),
    [...near, ...far],
  ].map((paths) => paths.filter((path) => path.endsWith('.test.ts') && imports.has(path)))
  return [...new Set(choices.find((tests) => tests.length > 0))]
}
