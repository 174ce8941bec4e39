import { Command, CommanderError } from 'commander'
import { isDiskFull } from '#library/open/disk-full.ts'
import { version } from '#library/settings/version.ts'
import { plainLines } from '#parse/text/plain-text.ts'
import { withoutCredentials } from '../text/without-credentials.ts'
import { pathFault } from './path-fault.ts'
import { mistakeText } from './settings/complaint.ts'
import { addLazyCommands, type LazyCommand } from './settings/lazy-commands.ts'

/** Runs a process's command line, and answers for what nobody in it caught. */
export async function main(argv: readonly string[]): Promise<number> {
  const args = argv.slice(2)
  endQuietlyWhenNobodyReads(args)
  return run(args)
}

/** Runs one command; gives the exit code: 0 well, 1 failed, 2 the user should change something. */
export async function run(given: readonly string[]): Promise<number> {
  const args = withHelpLast(given)
  const program = buildProgram()
  try {
    await addLazyCommands(program, COMMANDS, args)
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return await explain(error, args)
  }
}

const control = async () => (await import('./control/control-commands.ts')).defineControl

/** In the order of `--help`. */
const COMMANDS: Readonly<Record<string, LazyCommand>> = {
  init: {
    summary: 'ask a few questions and write a commented configuration',
    load: async () => (await import('./init/init-command.ts')).defineInit,
  },
  crawl: {
    summary: 'fetch pages, the most promising first, until the budget is spent',
    takes: {
      '[seeds...]': 'URLs to begin with; not needed when the directory holds a crawl already',
    },
    load: async () => (await import('./crawl/crawl-command.ts')).defineCrawl,
  },
  run: {
    summary:
      'crawl for good at a rate, as a service: fetch, refresh, discover, and take in what searchers ask',
    takes: {
      '[seeds...]': 'URLs to begin with; not needed when the directory holds a crawl already',
    },
    load: async () => (await import('./run/run-command.ts')).defineRun,
  },
  worker: {
    summary: 'fetch for a crawl elsewhere: as many of these as one likes, on any machine',
    load: async () => (await import('./worker/worker-command.ts')).defineWorker,
  },
  epochs: {
    summary: 'crawl by epochs, in buckets on all cores: for more URLs than one process can hold',
    takes: {
      '[seeds...]': 'URLs to begin with; not needed when the directory holds a crawl already',
    },
    load: async () => (await import('./step/epochs-command.ts')).defineEpochs,
  },
  step: {
    summary: 'make the steps of one phase of an epoch, for buckets named on its input',
    load: async () => (await import('./step/step-command.ts')).defineStep,
  },
  plan: {
    summary: 'show the next fetches and why, and fetch nothing',
    load: async () => (await import('./plan/plan-command.ts')).definePlan,
  },
  explain: {
    summary: 'show what a crawl knows of one URL, who wants it and what holds it back',
    takes: { '<url>': 'the URL' },
    load: async () => (await import('./explain/explain-command.ts')).defineExplain,
  },
  status: {
    summary: 'show how far a crawl has come, also while it runs',
    load: async () => (await import('./status/status-command.ts')).defineStatus,
  },
  pause: {
    summary: 'let a running crawl send nothing more until it is resumed; it keeps its place',
    load: control,
  },
  resume: { summary: 'let a paused crawl go on', load: control },
  stop: {
    summary: 'end a running crawl as Ctrl-C does, and wait until it has ended',
    load: control,
  },
  reload: {
    summary: 'let a service (forager run) read its settings and seeds again',
    load: control,
  },
  fetch: {
    summary: 'show what the crawler would do with one URL and why; nothing is stored',
    takes: { '<url>': 'the URL' },
    load: async () => (await import('./fetch/fetch-command.ts')).defineFetch,
  },
  search: {
    summary: 'search the pages that were crawled, also while a crawl runs',
    takes: { '<words...>': 'what to look for' },
    load: async () => (await import('./search/search-command.ts')).defineSearch,
  },
  serve: {
    summary: 'serve a search page and a JSON API over the crawled pages, also while a crawl runs',
    load: async () => (await import('./search/serve-command.ts')).defineServe,
  },
  export: {
    summary: 'write pages, links, fetches or queries as files that others can read',
    takes: { '<what>': 'pages, links, fetches or queries' },
    load: async () => (await import('./export/export-command.ts')).defineExport,
  },
  push: {
    summary: 'hand pages that are new, have changed or are gone to a webhook or a search engine',
    load: async () => (await import('./push/push-command.ts')).definePush,
  },
  frontier: {
    summary:
      'let other fetchers, such as StormCrawler, fetch by our plan: a URLFrontier server (gRPC)',
    load: async () => (await import('./frontier/frontier-command.ts')).defineFrontier,
  },
  queries: {
    summary: 'import query logs, look at them, and find what the crawl cannot answer yet',
    load: async () => (await import('./queries/queries-command.ts')).defineQueries,
  },
  identity: {
    summary: 'make and rotate the keys that requests are signed with, to prove who crawls',
    load: async () => (await import('./identity/identity-command.ts')).defineIdentity,
  },
  check: {
    summary: 'read all that a directory holds, name what is damaged, and mend it if asked to',
    load: async () => (await import('./check/check-command.ts')).defineCheck,
  },
  lab: {
    summary: 'recorded webs: make, replay and judge policies on them',
    load: async () => (await import('./lab/lab-command.ts')).defineLab,
  },
  demo: {
    summary:
      'make a web, serve it, crawl it over HTTP by several policies, also week by week, and see what searchers get',
    load: async () => (await import('./demo/demo-command.ts')).defineDemo,
  },
}

/** `help lab run` is `lab run --help`, which loads what it tells of; `help` of nobody is as unknown as the command. */
function withHelpLast(args: readonly string[]): readonly string[] {
  const isMisspelt = /^[a-z]/.test(args[0] ?? '') && !Object.hasOwn(COMMANDS, args[0])
  if (args[0] !== 'help') return isMisspelt ? args.slice(0, 1) : args
  const named = args.slice(1).filter((arg) => !arg.startsWith('-'))
  return named.length === 0 || Object.hasOwn(COMMANDS, named[0]) ? [...named, '--help'] : named
}

function buildProgram(): Command {
  return new Command('forager')
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
  forager fetch https://example.org/ --contact you@example.org    # what it would do with one URL
  forager search hiking trails                         # in what was crawled; forager serve for a page
  forager plan                                         # what would be fetched next, and why
  forager explain https://example.org/trails           # who wants a page, and what holds it back
  forager lab generate --pages 5000 --out modelweb     # a web to experiment on`,
    )
}

/** Whose fault is it? The user's: one line and 2. The world's, or ours: one line and 1. */
async function explain(error: unknown, args: readonly string[]): Promise<number> {
  // Something failed, and then closing failed too: the first tells more.
  if (error instanceof SuppressedError) return explain(error.suppressed, args)
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const { code, path, dest } = (error ?? {}) as NodeJS.ErrnoException & { dest?: string }
  const full = dest ?? path // of a copy it is the new place that is full
  if (isDiskFull(error))
    return complain(
      `no space left on the disk${full ? ` (${full})` : ''}: free some and run the same command again; nothing finished is lost`,
      1,
    )
  const mistake = mistakeText(error)
  if (mistake !== undefined) return complain(mistake, 2)
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return complain(`no permission for ${path ?? 'that'}: ask for it, or choose another place`, 2)
  const fault = pathFault(error)
  if (fault !== undefined) return complain(fault, 2)
  const { damageOfTables, faultOfPolicyFile, ourFault } = await import('./last-resort.ts')
  const known = damageOfTables(error, args) ?? faultOfPolicyFile(error, args)
  if (known) return complain(mistakeText(known) ?? known.message, 2)
  const { line, story } = ourFault(error, args, process.env.FORAGER_DEBUG)
  const exitCode = complain(line, 1)
  if (story) process.stderr.write(`${plainLines(story)}\n`)
  return exitCode
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`forager: ${plainLines(message)}\n`)
  return exitCode
}

/**
 * `forager … | head` is not an error, and a full disk behind `>` is not ours. Remarks that nobody reads
 * (`2>&1 | head`) are no reason to end: a crawl goes on. What nobody caught ends the process in one line too.
 */
function endQuietlyWhenNobodyReads(args: readonly string[]): void {
  process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : await explain(error, args))
  })
  process.stderr.on('error', () => {})
  process.on('uncaughtException', async (error) => process.exit(await explain(error, args)))
}
