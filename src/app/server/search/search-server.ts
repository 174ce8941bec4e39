import { messagePage } from '../../web/page-frame.ts'
import type { Listening } from '../http/listen.ts'
import type { Route } from '../http/route.ts'
import { type ServeOptions, type Site, serveRoutes } from '../http/serve-routes.ts'
import { type SearchSite, searchRoutes } from './search-routes.ts'

interface SearchServerOptions extends Omit<ServeOptions, 'site' | 'flags'>, Pick<Site, 'onError'> {
  readonly site: SearchSite
  /** Served beside the search page. */
  readonly more?: readonly Route[]
}

/** Serves the search page and its API. */
export function startSearchServer(options: SearchServerOptions): Promise<Listening> {
  const { site, onError, more = [], ...place } = options
  return serveRoutes({
    ...place,
    flags: `--port ${place.port} on --host ${place.host}`,
    site: {
      routes: [...searchRoutes(site), ...more],
      messagePage: (heading, advice, path) =>
        messagePage(heading, advice, { path, isLogged: site.log !== undefined }),
      onError,
    },
  })
}
