import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { concernedTests } from './concerned-tests.ts'
import { EQUIVALENT } from './equivalent.ts'
import { applied, type Mutation, mutationsOf } from './mutations.ts'
import { paperFunctions } from './paper-functions.ts'

/** A mutant whose tests take so many times as long never ends, which is noticed too. */
const LONGEST = 10

/**
 * Makes small mistakes in the functions of files that carry a `@paper` tag, one at a time in a copy of the project, runs the
 * tests that concern them, and lists the mistakes that no test notices. With `--whole` in all functions of the files.
 */
const isWhole = process.argv.includes('--whole')
const files = process.argv.slice(2).filter((argument) => argument !== '--whole')
if (files.length === 0) {
  console.error('Usage: npm run mutate -- [--whole] FILE… (of src, with @paper tags)')
  process.exit(2)
}
const copy = mkdtempSync(join(tmpdir(), 'forager-mutate-'))
for (const part of ['src', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
  cpSync(part, join(copy, part), { recursive: true })
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
try {
  for (const file of files) process.exitCode = (await survivorsOf(file)) > 0 ? 1 : process.exitCode
} finally {
  rmSync(copy, { recursive: true, force: true })
}

async function survivorsOf(file: string): Promise<number> {
  const source = readFileSync(file, 'utf8')
  const tests = concernedTests(file)
  const stretches = isWhole ? [{ from: 0, to: source.length }] : paperFunctions(source)
  const mutations = stretches.flatMap((stretch) => mutationsOf(source, stretch))
  console.log(`${file}: ${mutations.length} mutations, ${tests.length} test files`)
  let tester = await newTester(file, tests)
  const start = performance.now()
  if ((await verdict(tester, source)) !== true) throw new Error(`${file}: its own tests fail`)
  const longestMs = LONGEST * (performance.now() - start)
  let survivors = 0
  for (const mutation of mutations) {
    const told = tellOf(source, mutation)
    if (isEquivalent(file, told)) continue
    const passes = await verdict(tester, applied(source, mutation), longestMs)
    if (passes === undefined) tester = await newTester(file, tests)
    if (passes !== true) continue
    survivors++
    console.log(`  survives: ${file}:${told}`)
  }
  await verdict(tester, source)
  tester.kill()
  console.log(`  ${survivors} survive`)
  return survivors
}

function isEquivalent(file: string, told: string): boolean {
  return EQUIVALENT.some(
    ({ where, become }) => where === file && become.some((line) => told.endsWith(line)),
  )
}

/** "12: a + b → a - b", of the line that it is in. */
function tellOf(source: string, mutation: Mutation): string {
  const start = source.lastIndexOf('\n', mutation.from) + 1
  const number = source.slice(0, start).split('\n').length
  const lineOf = (text: string) => text.slice(start).split('\n', 1)[0].trim()
  return `${number}: ${lineOf(source)} → ${lineOf(applied(source, mutation))}`
}

async function newTester(file: string, tests: readonly string[]): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'try-mutant.ts')
  // As vitest.config.ts wants it; threads share the flags of their process.
  const execArgv = ['--no-memory-protection-keys']
  const tester = fork(program, [file, ...tests], { cwd: copy, stdio: 'ignore', execArgv })
  await once(tester, 'message')
  return tester
}

/** Whether all tests pass; undefined if they had not ended in time, and the tester is dead. */
async function verdict(
  tester: ChildProcess,
  source: string,
  longestMs = 2 ** 31 - 1,
): Promise<boolean | undefined> {
  const timer = setTimeout(() => tester.kill('SIGKILL'), longestMs)
  const answer = new Promise<boolean | undefined>((resolve) => {
    tester.once('message', resolve)
    tester.once('exit', () => resolve(undefined))
  })
  tester.send(source)
  const passes = await answer
  clearTimeout(timer)
  tester.removeAllListeners()
  return passes
}
