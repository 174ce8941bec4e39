import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type Command, Option } from 'commander'
import { isLoopback } from '#fetch/wire/resolve-rules.ts'
import { type ControlRoomOptions, openControlRoom } from '../../server/control/control-room.ts'
import { MOST_LOG_BYTES, queryLogFolder } from '../../server/search/search-log.ts'
import { said } from '../../text/said.ts'
import { UsageError } from '../../text/usage-error.ts'
import { amount, size, wholeNumber } from '../settings/options.ts'
import { addSettings, optionsOf, type ReadSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { quitAtOnce, stopOnSignals } from '../terminal/signals.ts'
import { type PageOptions, serveSearch } from './search-page.ts'

/** Shorter tokens can be guessed. */
const LEAST_TOKEN = 16

interface ServeOptions extends Omit<PageOptions, 'control'> {
  readonly json?: boolean
  readonly control?: boolean
  readonly controlActions?: boolean
}

/** `forager serve`: the search page and its JSON API. */
export function defineServe(command: Command): void {
  addSettings(command, ['dir'])
    .option('--port <n>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), 8080)
    .option('--host <address>', 'address to listen on; others can reach 0.0.0.0', '127.0.0.1')
    .option('--rate <n>', 'requests a second from one address; 0 for any', amount, 10)
    .option('--no-query-log', 'keep no searches and choices, and give browsers no id')
    .addOption(
      new Option(
        '--query-log-size <size>',
        'what all query logs may take on the disk: beyond it the oldest go that a crawl took in',
      )
        .argParser(size)
        .default(MOST_LOG_BYTES, '1GiB'),
    )
    .option(
      '--control',
      'serve the control room too, at /control: what the crawl does, why, and what it is worth',
    )
    .option(
      '--control-actions',
      'let people act there: pause, resume, stop, a seed, a rate, exclude, fetch now, forget',
    )
    .option('--json', 'print where it listens as JSON')
    .addHelpText(
      'after',
      `
Examples:
  forager serve                              # http://127.0.0.1:8080/
  forager serve --dir mycrawl --port 0 --no-query-log
  forager serve --control                    # http://127.0.0.1:8080/control, also before a crawl begins
  curl 'http://127.0.0.1:8080/api/search?q=hiking+trails&limit=3'`,
    )
    .action((options, command) => runServe(settingsOf(command), options))
}

async function runServe(read: ReadSettings, options: ServeOptions): Promise<void> {
  const output = outputFor(options)
  const { dir } = read.settings
  const hasControl = options.control === true || options.controlActions === true
  const token = hasControl ? tokenFor(options.host) : undefined
  const control = hasControl ? openControlRoom(roomOptions(read, options, token)) : undefined
  const page = await serveSearch(dir, { ...options, control }, output, hasControl)
  try {
    const { pages } = page.service
    const signIn = token === undefined ? '' : `?token=${token}`
    const controlUrl = hasControl ? `${page.url}control${signIn}` : undefined
    const told = { url: page.url, port: page.port, pages, log: options.queryLog, controlUrl }
    output.result(told, () =>
      said(
        controlUrl !== undefined && `Control room at ${controlUrl}`,
        `${pages.toLocaleString('en')} pages to search at ${page.url}; Ctrl-C ends it`,
        options.queryLog
          ? `Searches are kept in ${queryLogFolder(dir)} and become workload; --no-query-log keeps none`
          : 'Searches are not kept',
      ).join('\n'),
    )
    const stop = stopOnSignals(() => {})
    process.once('disconnect', stop.stop) // whoever started us beside a crawl has ended
    await once(stop.signal, 'abort')
    stop.forget()
  } finally {
    if (await page.close()) quitAtOnce()
  }
}

/** On this machine alone nobody needs one, unless it is asked for. */
function tokenFor(host: string): string | undefined {
  const chosen = process.env.FORAGER_CONTROL_TOKEN
  if (chosen !== undefined && chosen.length < LEAST_TOKEN)
    throw new UsageError(`FORAGER_CONTROL_TOKEN must have ${LEAST_TOKEN} characters or more`)
  return chosen ?? (isLoopback(host) ? undefined : randomBytes(24).toString('base64url'))
}

function roomOptions(
  read: ReadSettings,
  { controlActions }: ServeOptions,
  token: string | undefined,
): ControlRoomOptions {
  const { dir, seeds: seedsFile } = read.settings
  // What this command calls --query-log is no setting of a crawl.
  const { seeds: _, seedsFile: __, queryLog: ___, settingsFile, ...crawl } = optionsOf(read)
  return {
    crawl: { ...crawl, dir },
    token,
    ...(controlActions && { actions: { dir, seedsFile, settingsFile } }),
  }
}
