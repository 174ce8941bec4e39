import { messagePage } from '../../web/page-frame.ts'
import type { Listening } from '../http/listen.ts'
import { type ServeOptions, type Site, serveRoutes } from '../http/serve-routes.ts'
import { type SearchSite, searchRoutes } from './search-routes.ts'

interface SearchServerOptions extends Omit<ServeOptions, 'site' | 'flags'>, Pick<Site, 'onError'> {
  readonly site: SearchSite
}

/** Serves the search page and its API. */
export function startSearchServer(options: SearchServerOptions): Promise<Listening> {
  const { site, onError, ...place } = options
  return serveRoutes({
    ...place,
    flags: `--port ${place.port} on --host ${place.host}`,
    site: {
      routes: searchRoutes(site),
      messagePage: (heading, advice) => messagePage(heading, advice, site.log !== undefined),
      onError,
    },
  })
}
