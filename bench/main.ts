import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commit } from '#app/cli/lab/commit.ts'
import { UsageError } from '#app/text/usage-error.ts'
import { type Benchmark, helpOf, readFlags } from './harness/benchmark.ts'

const names = readdirSync(import.meta.dirname)
  .filter((file) => /^export default benchmark\(/m.test(sourceOf(file)))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()

const [name, ...args] = process.argv.slice(2)
try {
  if (name === undefined || name === '--help') console.log(await listOf(names))
  else if (names.includes(name)) await runBenchmark(name, args)
  else throw new UsageError(`There is no benchmark "${name}": npm run bench lists them`)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function runBenchmark(name: string, args: string[]): Promise<void> {
  const benchmark = await load(name)
  const flags = readFlags(args, benchmark.flags)
  if (flags === undefined) console.log(helpOf(name, benchmark))
  else {
    const found = await benchmark.run(flags)
    console.log(JSON.stringify({ benchmark: name, ...found, made: madeBy(name, args) }))
  }
}

/** Whoever finds the numbers later can tell what they are of. */
function madeBy(name: string, args: readonly string[]) {
  const command = ['npm run bench --', name, ...args].join(' ')
  return { command, commit: commit(), date: new Date().toISOString().slice(0, 10) }
}

async function listOf(names: readonly string[]): Promise<string> {
  const lines = names.map(async (name) => `  ${name.padEnd(10)} ${(await load(name)).about}`)
  return `Usage: npm run bench -- NAME [flags], or NAME --help\n\n${(await Promise.all(lines)).join('\n')}`
}

async function load(name: string): Promise<Benchmark> {
  return (await import(`./${name}.ts`)).default
}

function sourceOf(file: string): string {
  return file.endsWith('.ts') ? readFileSync(join(import.meta.dirname, file), 'utf8') : ''
}
