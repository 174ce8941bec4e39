import { defineConfig } from 'vitest/config'

/** Apart from the other tests: these need Chromium on the machine (`npm run test:browser`). */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts'],
    execArgv: ['--no-memory-protection-keys'], // see the other configuration
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
