import { writeFileSync } from 'node:fs'
import { createVitest } from 'vitest/node'

/** Runs in a process of its own, in a copy of the project: `node try-mutant.ts FILE TEST…`, then a source a message. */
const [file, ...tests] = process.argv.slice(2)
// Threads end with their process: a mutant may loop for ever, and a child process would outlive the kill.
const vitest = await createVitest('test', {
  ...{ watch: false, reporters: [{}], bail: 1, maxWorkers: 2 },
  pool: 'threads',
})
const found = await vitest.globTestSpecifications(tests)
// The file's own test comes first, and mostly needs no other.
const specifications = tests.flatMap((test) =>
  found.filter(({ moduleId }) => moduleId.endsWith(test)),
)

async function passes(): Promise<boolean> {
  for (const specification of specifications) {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
    if (unhandledErrors.length === 0 && testModules.every((module) => module.ok())) continue
    // What noticed one mistake may well notice the next.
    specifications.splice(specifications.indexOf(specification), 1)
    specifications.unshift(specification)
    return false
  }
  return true
}

process.on('message', async (source: string) => {
  writeFileSync(file, source)
  vitest.invalidateFile(`${process.cwd()}/${file}`)
  process.send!(await passes())
})
process.send!('ready')
