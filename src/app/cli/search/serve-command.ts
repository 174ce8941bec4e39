import { once } from 'node:events'
import { type Command, Option } from 'commander'
import { MOST_LOG_BYTES, queryLogFolder } from '../../server/search/search-log.ts'
import { amount, size, wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { stopOnSignals } from '../terminal/signals.ts'
import { type PageOptions, serveSearch } from './search-page.ts'

interface ServeOptions extends PageOptions {
  readonly json?: boolean
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
  const page = await serveSearch(dir, options, output)
  try {
    const { pages } = page.service
    output.result({ url: page.url, port: page.port, pages, log: options.queryLog }, () =>
      [
        `${pages.toLocaleString('en')} pages to search at ${page.url}; Ctrl-C ends it`,
        options.queryLog
          ? `Searches are kept in ${queryLogFolder(dir)} and become workload; --no-query-log keeps none`
          : 'Searches are not kept',
      ].join('\n'),
    )
    const stop = stopOnSignals(() => {})
    await once(stop.signal, 'abort')
    stop.forget()
  } finally {
    await page.close()
  }
}
