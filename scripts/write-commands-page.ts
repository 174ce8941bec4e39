/** Writes docs/reference/commands.md from the command line's own help: `node scripts/write-commands-page.ts`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsPage } from './commands-page.ts'

const page = join(import.meta.dirname, '..', 'docs', 'reference', 'commands.md')
writeFileSync(page, await commandsPage())
