import { messagePage } from '../../web/message-page.ts'
import type { Listening } from '../http/listen.ts'
import { serveRoutes } from '../http/serve-routes.ts'
import { type SearchSite, searchRoutes } from './search-routes.ts'

interface SearchServerOptions {
  readonly site: SearchSite
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  /** Requests a second from one address, four times as many at once; 0 for any. */
  readonly perSecond: number
  readonly onError: (error: unknown) => void
}

/** Serves the search page and its API. */
export function startSearchServer(options: SearchServerOptions): Promise<Listening> {
  const { site, port, host, perSecond, onError } = options
  return serveRoutes({
    site: {
      routes: searchRoutes(site),
      messagePage: (heading, advice) => messagePage(heading, advice, site.log !== undefined),
      onError,
    },
    port,
    host,
    flags: `--port ${port} on --host ${host}`,
    perSecond,
  })
}
