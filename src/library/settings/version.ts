import { readFileSync } from 'node:fs'

/** The package's own version; its manifest lies above `src` and above `dist` alike. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version
