import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** What policy files import; programs find it by the package's own name, or by a hook. */
const forager = join(import.meta.dirname, 'src', 'policy', 'define-bidder.ts')

export default defineConfig({
  resolve: { alias: [{ find: /^forager$/, replacement: forager }] },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests wait for processes of their own: one worker a core would leave cores idle.
    maxWorkers: availableParallelism() + 1,
  },
})
