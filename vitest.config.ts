import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** What policy files import; programs find it by the package's own name, or by a hook. */
const forager = join(import.meta.dirname, 'src', 'policy', 'define-bidder.ts')

/** Only what hangs takes so long, however busy the machine is. */
const LONGEST_MS = 240_000

/**
 * Without keys for pages of machine code: V8 loses count of them now and then where hundreds of threads, each with
 * WebAssembly, begin and end in one process, and ends that process (`Check failed: jit_page.has_value()`).
 */
const NODE_FLAGS = ['--no-memory-protection-keys']

/** Tests that change what others in their process would see, or measure what others would disturb. */
const ALONE = [
  'src/app/cli/terminal/progress.test.ts',
  'src/fetch/**/*.test.ts',
  'src/lab/import/boilerplate.test.ts',
  'src/library/open/folder-until-exit.test.ts',
  'src/repository/power-cut.test.ts',
  'src/repository/git/*.test.ts',
  'src/**/adversarial*.test.ts',
  'src/**/log-lines.test.ts',
]

export default defineConfig({
  test: {
    // Many tests wait for processes of their own: one worker a core would leave cores idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      project('alone', { include: ALONE }),
      // To load the rooms for each file again, and make them quick again, takes longer than most tests.
      project('together', {
        include: ['{src,examples,test}/**/*.test.ts'],
        exclude: ALONE,
        isolate: false,
      }),
    ],
  },
})

function project(name: string, test: { include: string[]; exclude?: string[]; isolate?: boolean }) {
  return {
    resolve: { alias: [{ find: /^forager$/, replacement: forager }] },
    test: {
      ...{ name, testTimeout: LONGEST_MS, hookTimeout: LONGEST_MS },
      ...{ execArgv: NODE_FLAGS, ...test },
    },
  }
}
