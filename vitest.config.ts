import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Types are stripped, and files compiled, once for all processes and threads that tests start. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'forager')

/** Only what hangs takes so long, however busy the machine is. */
const LONGEST_MS = 240_000

/**
 * Without keys for pages of machine code: V8 loses count of them now and then where hundreds of threads, each with
 * WebAssembly, begin and end in one process, and ends that process (`Check failed: jit_page.has_value()`). A thread cannot
 * have flags of its own: `npm run mutate` tests in threads, and gives its process the flag.
 */
const NODE_FLAG = '--no-memory-protection-keys'
const NODE_FLAGS = process.execArgv.includes(NODE_FLAG) ? [] : [NODE_FLAG]

/** Tests that change what others in their process would see, or measure what others would disturb. */
const ALONE = [
  'src/app/cli/terminal/progress.test.ts',
  'src/fetch/**/*.test.ts',
  'src/lab/import/boilerplate.test.ts',
  'src/library/open/folder-until-exit.test.ts',
  'src/repository/power-cut.test.ts',
  'src/repository/state/given-back.test.ts',
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
    test: {
      ...{ name, testTimeout: LONGEST_MS, hookTimeout: LONGEST_MS },
      ...{ execArgv: NODE_FLAGS, ...test },
      // Node itself loads the sources, as it does for programs: nothing to transform, and commands share what is loaded.
      experimental: { viteModuleRunner: false, nodeLoader: false },
    },
  }
}
