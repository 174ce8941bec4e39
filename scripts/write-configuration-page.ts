/** Writes docs/configuration.md from the table of settings: `node scripts/write-configuration-page.ts`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configurationPage } from '#app/cli/settings/configuration-page.ts'

writeFileSync(join(import.meta.dirname, '..', 'docs', 'configuration.md'), configurationPage())
