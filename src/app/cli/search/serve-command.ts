import { once } from 'node:events'
import { type Command, Option } from 'commander'
import { isLoopback } from '#fetch/wire/resolve-rules.ts'
import { openSearchService } from '#library/search/search-service.ts'
import { ResultLinks } from '../../server/search/search-links.ts'
import { MOST_LOG_BYTES, QueryLog, queryLogFolder } from '../../server/search/search-log.ts'
import { startSearchServer } from '../../server/search/search-server.ts'
import { UsageError } from '../../text/usage-error.ts'
import { mistakeText } from '../settings/complaint.ts'
import { amount, size, wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { type Output, outputFor } from '../terminal/output.ts'
import { stopOnSignals } from '../terminal/signals.ts'

interface ServeOptions {
  port: number
  host: string
  rate: number
  queryLog: boolean
  queryLogSize: number
  json?: boolean
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
    .option('--json', 'print where it listens as JSON')
    .addHelpText(
      'after',
      `
Examples:
  forager serve                              # http://127.0.0.1:8080/
  forager serve --dir mycrawl --port 0 --no-query-log
  curl 'http://127.0.0.1:8080/api/search?q=hiking+trails&limit=3'`,
    )
    .action((options, command) => runServe(settingsOf(command).settings.dir, options))
}

async function runServe(dir: string, options: ServeOptions): Promise<void> {
  const output = outputFor(options)
  const service = openSearchService(dir, (error) =>
    output.note(
      `forager: ${mistakeText(error)}; until then answers come from the index as it was before`,
    ),
  )
  try {
    const { host, rate: perSecond, port } = options
    const site = {
      service,
      now: Date.now,
      log: options.queryLog ? openLog(dir, options, output) : undefined,
    }
    const onError = (error: unknown) => {
      output.note(`forager: ${mistakeText(error) ?? (error as Error).stack ?? error}`)
    }
    const server = await startSearchServer({ site, port, host, perSecond, onError })
    const shownHost = host.includes(':') ? `[${host}]` : host
    const url = `http://${shownHost}:${server.port}/`
    output.result({ url, port: server.port, pages: service.pages, log: options.queryLog }, () =>
      [
        `${service.pages.toLocaleString('en')} pages to search at ${url}; Ctrl-C ends it`,
        options.queryLog
          ? `Searches are kept in ${queryLogFolder(dir)} and become workload; --no-query-log keeps none`
          : 'Searches are not kept',
      ].join('\n'),
    )
    if (!isLoopback(host))
      output.note(`forager: whoever can reach ${host} can search here; there is no password`)
    const stop = stopOnSignals(() => {})
    await once(stop.signal, 'abort')
    stop.forget()
    await server.close()
  } finally {
    service.close()
  }
}

function openLog(dir: string, { queryLogSize }: ServeOptions, output: Output) {
  const folder = queryLogFolder(dir)
  const onFailure = (error: Error) =>
    output.note(`forager: searches cannot be noted in ${folder} (${error.message})`)
  try {
    const queries = new QueryLog(folder, Date.now, onFailure, queryLogSize)
    return { queries, links: ResultLinks.of(folder) }
  } catch (cause) {
    throw new UsageError(
      `searches cannot be kept in ${folder} (${(cause as Error).message}): make it a folder that can be written, or give --no-query-log`,
      { cause },
    )
  }
}
