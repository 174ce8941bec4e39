import { once } from 'node:events'
import type { Command } from 'commander'
import type { SettingName } from '#library/settings/settings.ts'
import { FrontierCrawls } from '#library/url-frontier/frontier-crawls.ts'
import { startFrontierServer } from '../../server/url-frontier/frontier-server.ts'
import { protoText } from '../../server/url-frontier/proto-text.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, optionsOf, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { stopOnSignals } from '../terminal/signals.ts'
import { noteTo } from '../words/note-text.ts'

/** The port that clients of the protocol expect. */
const USUAL_PORT = 7071

/** What means something to a crawl whose pages others fetch. */
const PLANNING: readonly SettingName[] = [
  ...(['dir', 'budget', 'policy', 'policyFile', 'untilGain', 'randomShare'] as const),
  ...(['scope', 'include', 'exclude', 'maxDepth', 'maxPagesPerHost', 'maxPagesPerDomain'] as const),
  ...(['refreshAfter', 'freshFor', 'delay', 'connectionsPerHost', 'batch', 'perHost'] as const),
  ...(['perDomain', 'seed', 'index', 'pushTo', 'pushKey', 'searchEngine'] as const),
]

interface FrontierFlags {
  readonly host: string
  readonly port: number
  readonly allowDeletes?: boolean
  readonly proto?: boolean
  readonly json?: boolean
}

/** `forager frontier`: a URL frontier for fetchers of other make. */
export function defineFrontier(command: Command): void {
  addSettings(command, PLANNING)
    .option(
      '--port <n>',
      'port to listen on; 0 takes a free one',
      wholeNumber(0, 65_535),
      USUAL_PORT,
    )
    .option('--host <address>', 'address to listen on; others can reach 0.0.0.0', '127.0.0.1')
    .option('--allow-deletes', 'let clients delete crawls, queues and URLs')
    .option('--proto', 'print the protocol as a .proto file, to make clients from, and end')
    .option('--json', 'print where it listens as JSON')
    .addHelpText(
      'after',
      `
Clients put URLs in, get those that are worth most, host by host, and tell what came of them. Each crawl ID is a folder in --dir:
plan, explain, status and search work on it. A query log that is imported there says what is worth most. The protocol knows no
passwords: whoever reaches the port can use it. Robots.txt is the fetcher's matter.

Examples:
  forager frontier --dir crawls                              # 127.0.0.1:7071, as StormCrawler expects
  forager frontier --dir crawls --delay 2 --connections-per-host 5
  forager frontier --proto > urlfrontier.proto               # clients in other languages
  forager queries import queries.csv --format csv --dir crawls/DEFAULT
  forager status --dir crawls/DEFAULT`,
    )
    .action(async (flags: FrontierFlags, command: Command) => {
      if (flags.proto) {
        process.stdout.write(protoText())
        return
      }
      const read = settingsOf(command)
      const { dir } = read.settings
      const output = outputFor(flags)
      const { seeds: _, seedsFile: __, ...options } = optionsOf(read)
      await using crawls = new FrontierCrawls({ ...options, dir }, noteTo(output, dir))
      const { host, port, allowDeletes: mayDelete = false } = flags
      await using server = await startFrontierServer(crawls, { host, port, mayDelete })
      const address = `${host}:${server.port}`
      output.result(
        { address, host, port: server.port, dir },
        () => `URL frontier at ${address}, crawls in ${dir}; Ctrl-C ends it`,
      )
      const stop = stopOnSignals(() => output.note('stopping'))
      await once(stop.signal, 'abort')
      stop.forget()
    })
}
