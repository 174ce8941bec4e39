/**
 * Loaded before a program (`--import`), in its threads too: notes which files of `src/` were called, in order of their
 * first call, and writes them to a file for each thread when it ends. What runs while files are loaded does not count.
 */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { parseAst } from 'vitest/node'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly body?: Node | null
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const folder = process.env.FORAGER_CALLS

if (folder !== undefined) {
  const called = new Set<string>()
  let loading = 0
  Object.assign(globalThis, {
    __called: (file: string) => {
      if (loading === 0) called.add(file)
    },
    __loads: (step: number) => {
      loading += step
    },
  })
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      const [, file] = /\/src\/(.+)\.ts$/.exec(url) ?? []
      return file === undefined
        ? loaded
        : { ...loaded, source: watched(String(loaded.source), file) }
    },
  })
  process.on('exit', () => {
    const path = join(folder, `${process.pid}-${threadId}.json`)
    writeFileSync(path, JSON.stringify({ isMain: threadId === 0, called: [...called] }))
  })
}

/** The source with a call at the beginning of every function, on the same lines. */
function watched(source: string, file: string): string {
  const program = parseAst(source, { lang: 'ts' }) as unknown as Node
  const inserts: [at: number, text: string][] = []
  const note = `__called(${JSON.stringify(file)})`
  const visit = (node: Node) => {
    if (FUNCTIONS.includes(node.type) && node.body) {
      const { type, start, end } = node.body
      if (type === 'BlockStatement') inserts.push([start + 1, `${note};`])
      else inserts.push([start, `(${note},`], [end, ')'])
    }
    for (const part of Object.values(node).flat())
      if (typeof part === 'object' && part !== null && typeof part.type === 'string') visit(part)
  }
  visit(program)
  inserts.sort(([a], [b]) => a - b)
  let [text, from] = ['__loads(1);', 0]
  for (const [at, insert] of inserts) {
    text += source.slice(from, at) + insert
    from = at
  }
  return `${text}${source.slice(from)}\n;__loads(-1)`
}
