import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What no program uses stays only for a reason. With it stays what it needs. */
const KEPT: Readonly<Record<string, string>> = {
  'src/search/engine/own-engine.ts ownEngine': 'what a bench compares OpenSearch with',
  'src/search/gain/yardstick.ts singleTerms': 'the paper’s own way to measure, timed by a bench',
}

/** A function, class, constant or type at the top of a file, and every word in it. */
interface Declaration {
  readonly file: string
  readonly name: string
  readonly isExported: boolean
  readonly isType: boolean
  readonly words: Set<string>
}

interface Module {
  readonly declarations: ReadonlyMap<string, Declaration>
  /** Names it imports, each with the file and name it stands for. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
  /** Files that it may use all of: loaded at run time, or run as processes. */
  readonly whole: readonly string[]
  /** The words outside of all declarations: what it does when loaded. */
  readonly atLoad: ReadonlySet<string>
}

/** Declarations start at the left margin, by the formatter. */
const DECLARATION =
  /^(export )?(?:declare )?(?:abstract )?(?:async )?(function\*?|const|let|class|interface|type) (\w+)/
const NAMED_IMPORT = /^(?:import|export) (?:type )?\{([^}]*)\} from '([#.][^']+)'/gm
const WHOLE_FILE = /(?:import\(|import |\* as \w+ from |\* from |new URL\()'([#.][^']+\.ts)'/g
const COMMENT = /^\s*\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm

function readModule(file: string): Module {
  const source = readFileSync(file, 'utf8').replaceAll(COMMENT, '')
  const fileOf = (target: string) =>
    target.startsWith('#') ? target.replace('#', 'src/') : join(dirname(file), target)
  const imports = [...source.matchAll(NAMED_IMPORT)].flatMap(([, names, target]) =>
    [...names.matchAll(/(?:type )?(\w+)(?: as (\w+))?/g)].map(
      ([, name, alias = name]) => [alias, { file: fileOf(target), name }] as const,
    ),
  )
  const declarations = new Map<string, Declaration>()
  const atLoad = new Set<string>()
  let words = atLoad
  for (const line of source.replaceAll(NAMED_IMPORT, '').split('\n')) {
    const [, exported, keyword, name] = DECLARATION.exec(line) ?? []
    if (name) {
      words = new Set(declarations.get(name)?.words)
      const isType = keyword === 'interface' || keyword === 'type'
      declarations.set(name, { file, name, isExported: exported !== undefined, isType, words })
    } else if (/^[^\s)}\]]/.test(line)) words = atLoad
    for (const [word] of line.matchAll(/\w+/g)) words.add(word)
  }
  const whole = [...source.matchAll(WHOLE_FILE)].map(([, target]) => fileOf(target))
  return { declarations, imports: new Map(imports), whole, atLoad }
}

const isTest = (file: string) => /\.test(-kit)?\.ts$/.test(file) || file.startsWith('test/')
const files = globSync('{src,scripts,bench,test,examples}/**/*.ts')
const modules = new Map(files.map((file) => [file, readModule(file)]))
const all = [...modules]
  .filter(([file]) => file.startsWith('src/') && !isTest(file))
  .flatMap(([, { declarations }]) => [...declarations.values()])
const values = all.filter(({ isType }) => !isType)
const nameOf = ({ file, name }: Declaration) => `${file} ${name}`

/** Everything that can be reached from what these files export or do when loaded, and from more. */
function reachableFrom(doors: readonly string[], more: readonly string[]): Set<Declaration> {
  const reached = new Set<Declaration>()
  const loaded = new Set<string>()
  const load = (file: string) => {
    const module = modules.get(file)
    if (!module || loaded.has(file)) return
    loaded.add(file)
    for (const other of module.whole) useAll(other)
    for (const word of module.atLoad) use(file, word)
  }
  const use = (file: string, name: string) => {
    const module = modules.get(file)
    const imported = module?.imports.get(name)
    if (imported) {
      load(imported.file)
      use(imported.file, imported.name)
    }
    const declaration = module?.declarations.get(name)
    if (!declaration || reached.has(declaration)) return
    reached.add(declaration)
    for (const word of declaration.words) use(file, word)
  }
  const useAll = (file: string) => {
    load(file)
    const module = modules.get(file)
    for (const name of [...(module?.declarations.keys() ?? []), ...(module?.imports.keys() ?? [])])
      if (module?.declarations.get(name)?.isExported !== false) use(file, name)
  }
  for (const file of doors) useAll(file)
  for (const each of more) use(...(each.split(' ') as [string, string]))
  return reached
}

/** Where programs enter: the command line, what the package exports, and scripts. */
function doors(): string[] {
  const text = readFileSync('bin/forager.js', 'utf8') + readFileSync('package.json', 'utf8')
  const named = [...text.matchAll(/(?:src|dist)\/([\w/-]+)\.(?:d\.)?[jt]s/g)]
  return [...new Set(named.map(([, path]) => `src/${path}.ts`)), ...globSync('scripts/*.ts')]
}

test('every value of src can be reached from a door, or is kept for a reason', () => {
  const entered = doors()
  expect(entered.filter((door) => !existsSync(door))).toEqual([])
  const reached = reachableFrom(entered, Object.keys(KEPT))
  expect(values.filter((value) => !reached.has(value)).map(nameOf)).toEqual([])
})

test('what is kept for a reason is there, and needs its reason', () => {
  const reached = reachableFrom(doors(), [])
  const unused = values.filter((value) => !reached.has(value)).map(nameOf)
  expect(Object.keys(KEPT).filter((kept) => !unused.includes(kept))).toEqual([])
})

test('a value or type is exported only if another file, a test perhaps, imports it', () => {
  const wanted = new Set<string>()
  for (const { imports, whole } of modules.values()) {
    for (const { file, name } of imports.values()) wanted.add(`${file} ${name}`)
    for (const file of whole)
      for (const name of modules.get(file)?.declarations.keys() ?? []) wanted.add(`${file} ${name}`)
  }
  for (const door of doors())
    for (const name of modules.get(door)?.declarations.keys() ?? []) wanted.add(`${door} ${name}`)
  const needless = all.filter((one) => one.isExported && !wanted.has(nameOf(one)))
  expect(needless.map(nameOf)).toEqual([])
})
