import { Command, CommanderError } from 'commander'
import { UsageError } from '#parse/usage-error.ts'
import { addControlCommands } from './control-commands.ts'
import { addCrawlCommand } from './crawl-command.ts'
import { addDemoCommand } from './demo-command.ts'
import { isDiskFull } from './disk-full.ts'
import { addExplainCommand } from './explain-command.ts'
import { addFetchCommand } from './fetch-command.ts'
import { addLabCommand } from './lab-command.ts'
import { plainLines } from './plain-text.ts'
import { addPlanCommand } from './plan-command.ts'
import { addQueriesCommand } from './queries-command.ts'
import { addSearchCommand } from './search-command.ts'
import { addSearchServeCommand } from './serve-command.ts'
import { addStatusCommand } from './status-command.ts'
import { version } from './version.ts'
import { withoutCredentials } from './without-credentials.ts'

/** Runs one command line; gives the exit code: 0 well, 1 failed, 2 the user should change something. */
export async function main(argv: readonly string[]): Promise<number> {
  endQuietlyWhenNobodyReads()
  const program = buildProgram()
  try {
    await program.parseAsync(argv)
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return explain(error)
  }
}

function buildProgram(): Command {
  const program = new Command('forager')
    .description('A web crawler that spends every fetch where searchers will notice.')
    .version(version)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      outputError: (text, write) =>
        write(withoutCredentials(plainLines(text)).replace(/^error: /, 'forager: ')),
    })
    .addHelpText(
      'after',
      `
Examples:
  forager demo                                         # the whole story in half a minute, offline
  forager crawl https://example.org/ --budget 500 --contact you@example.org
  forager fetch https://example.org/                   # what the crawler would do with one URL
  forager search hiking trails                         # in what was crawled; forager serve for a page
  forager plan                                         # what would be fetched next, and why
  forager explain https://example.org/trails           # who wants a page, and what holds it back
  forager lab generate --pages 5000 --out modelweb     # a web to experiment on`,
    )
  addCrawlCommand(program)
  addPlanCommand(program)
  addExplainCommand(program)
  addStatusCommand(program)
  addControlCommands(program)
  addFetchCommand(program)
  addSearchCommand(program)
  addSearchServeCommand(program)
  addQueriesCommand(program)
  addLabCommand(program)
  addDemoCommand(program)
  return program
}

/** Whose fault is it? The user's: one line and 2. The world's: one line and 1. Ours: the whole story. */
function explain(error: unknown): number {
  // Something failed, and then closing failed too: the first tells more.
  if (error instanceof SuppressedError) return explain(error.suppressed)
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException
  if (isDiskFull(error))
    return complain(
      `no space left on the disk${path ? ` (${path})` : ''}: free some and run the same command again; nothing finished is lost`,
      1,
    )
  if (error instanceof UsageError) return complain(error.message, 2)
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return complain(`no permission to write ${path ?? 'there'}: choose another place`, 2)
  console.error(error)
  return 1
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`forager: ${plainLines(message)}\n`)
  return exitCode
}

/** `forager … | head` is not an error. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}
