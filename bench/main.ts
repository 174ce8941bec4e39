import { readdirSync, readFileSync } from 'node:fs'
import { UsageError } from '#app/text/usage-error.ts'

/** A benchmark is a file here that exports `run`; what it gives is printed as the last line. */
interface Benchmark {
  run(args: string[]): Promise<object>
}

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .filter((file) => /^export async function run\(/m.test(sourceOf(file)))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()

const [name, ...args] = process.argv.slice(2)
try {
  if (name === undefined || !names.includes(name)) {
    const problem = name === undefined ? 'Name a benchmark' : `There is no benchmark "${name}"`
    throw new UsageError(`${problem}: npm run bench -- ${names.join(' | ')}`)
  }
  const benchmark: Benchmark = await import(`./${name}.ts`)
  console.log(JSON.stringify(await benchmark.run(args)))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

function sourceOf(file: string): string {
  return readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
}
