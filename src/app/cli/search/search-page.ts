import { isLoopback } from '#fetch/wire/resolve-rules.ts'
import { openSearchService, type SearchService } from '#library/search/search-service.ts'
import type { ControlRoom } from '../../server/control/control-room.ts'
import { ResultLinks } from '../../server/search/search-links.ts'
import { QueryLog, queryLogFolder } from '../../server/search/search-log.ts'
import { startSearchServer } from '../../server/search/search-server.ts'
import { UsageError } from '../../text/usage-error.ts'
import { mistakeText } from '../settings/complaint.ts'
import type { Output } from '../terminal/output.ts'

/** Where the search page is served, and what it keeps. */
export interface PageOptions {
  readonly port: number
  readonly host: string
  /** Requests a second from one address; 0 for any. */
  readonly rate: number
  readonly queryLog: boolean
  readonly queryLogSize: number
  /** The control room, to be served beside it. */
  readonly control?: ControlRoom
}

interface ServedPage {
  readonly url: string
  readonly port: number
  readonly service: SearchService
  /** Whether some of the control room is at work still: the program is to quit then. */
  close(): Promise<boolean>
}

/** Serves the search page of a directory and its JSON API, until it is closed. */
export async function serveSearch(
  dir: string,
  options: PageOptions,
  output: Output,
  mayBeEmpty = false,
): Promise<ServedPage> {
  const { host, rate: perSecond, port } = options
  const onDamage = (error: Error) =>
    output.note(
      `forager: ${mistakeText(error)}; until then answers come from the index as it was before`,
    )
  const service = openSearchService(dir, onDamage, mayBeEmpty)
  try {
    const log = options.queryLog ? openLog(dir, options, output) : undefined
    const onError = (error: unknown) => {
      output.note(`forager: ${mistakeText(error) ?? (error as Error).stack ?? error}`)
    }
    const site = { service, now: Date.now, log }
    const server = await startSearchServer({
      ...{ site, port, host, perSecond, onError },
      more: options.control?.routes,
    })
    if (!isLoopback(host))
      output.note(`forager: whoever can reach ${host} can search here; there is no password`)
    const close = async () => {
      await server.close()
      const isBusy = await options.control?.close()
      service.close()
      return isBusy === true
    }
    const shownHost = host.includes(':') ? `[${host}]` : host
    return { url: `http://${shownHost}:${server.port}/`, port: server.port, service, close }
  } catch (error) {
    service.close()
    throw error
  }
}

function openLog(dir: string, { queryLogSize }: PageOptions, output: Output) {
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
