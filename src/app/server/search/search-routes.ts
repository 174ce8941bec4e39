import { askAndShow } from '#library/search/search-results.ts'
import type { SearchService } from '#library/search/search-service.ts'
import { version } from '#library/settings/version.ts'
import { linkable } from '../../web/html.ts'
import { ICON } from '../../web/icon.ts'
import { homePage } from '../../web/page-frame.ts'
import { resultsPage } from '../../web/results-page.ts'
import { SCRIPT } from '../../web/script.ts'
import { STYLE } from '../../web/style.ts'
import { withOpenApi } from '../http/openapi.ts'
import { Refusal } from '../http/refusal.ts'
import { type Answer, assetRoute, htmlAnswer, jsonRoute, type Route, route } from '../http/route.ts'
import { noteChoice, noteSearch, type SearchNotes } from './note-search.ts'
import {
  AnswerSchema,
  API_PARAMETERS,
  apiAnswer,
  HealthSchema,
  MAX_OFFSET,
  PAGE_PARAMETERS,
  PAGE_SIZE,
} from './search-api.ts'

/** What a search server works with. */
export interface SearchSite {
  readonly service: SearchService
  /** Left out, nothing is kept and nobody gets an id. */
  readonly log?: SearchNotes
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const ABOUT = { title: 'Forager search', version, description: 'Searches the pages of a crawl.' }

/** Every path there is. */
export function searchRoutes(site: SearchSite): readonly Route[] {
  return withOpenApi(ABOUT, [
    route({ path: '/', answer: () => frontPage(site) }),
    searchPage(site),
    resultLink(site),
    searchApi(site),
    health(site),
    assetRoute('/style.css', 'text/css; charset=utf-8', STYLE),
    assetRoute('/script.js', 'text/javascript; charset=utf-8', SCRIPT),
    assetRoute('/icon.svg', 'image/svg+xml', ICON),
    assetRoute('/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *\nDisallow: /\n'),
  ])
}

function frontPage({ service, log }: SearchSite): Answer {
  return htmlAnswer(200, homePage(service.pages, log !== undefined))
}

function searchPage(site: SearchSite): Route {
  const { service, log, now } = site
  return route({
    path: '/search',
    parameters: PAGE_PARAMETERS,
    answer: ({ q, page }, asked) => {
      if (q === '') return frontPage(site)
      const answer = askAndShow(service, q, (page - 1) * PAGE_SIZE, PAGE_SIZE)
      const noted = noteSearch(log, asked, answer, 'search-page')
      const body = resultsPage({
        answer,
        pages: service.pages,
        isLogged: log !== undefined,
        isNoted: noted !== undefined,
        hrefOf: noted ? noted.clickPath : ({ url }) => linkable(url) ?? '',
        mostResults: MAX_OFFSET + PAGE_SIZE,
        now: now() / 1000,
      })
      return htmlAnswer(200, body, noted?.cookie && { 'set-cookie': noted.cookie })
    },
  })
}

function searchApi({ service, log }: SearchSite): Route {
  return jsonRoute({
    path: '/api/search',
    name: 'search',
    summary: 'The pages that answer a query, best first',
    parameters: API_PARAMETERS,
    gives: AnswerSchema,
    answer: ({ q, offset, limit }, asked) => {
      const answer = askAndShow(service, q, offset, limit)
      return apiAnswer(answer, noteSearch(log, asked, answer, 'search-api'))
    },
  })
}

/** Leads on to a result that was chosen from a list of ours, and to nowhere else. */
function resultLink({ log }: SearchSite): Route {
  return route({
    path: '/go',
    answer: (_, asked) => {
      const link = log?.links.read(asked.query)
      const target = link && linkable(link.url)
      if (!log || !link || target === undefined)
        return new Refusal(
          403,
          'Only results of a search can be opened this way. Search again, and choose from the list.',
        )
      noteChoice(log, asked, link)
      return {
        status: 302,
        type: 'text/plain; charset=utf-8',
        body: `${target}\n`,
        headers: { location: target, 'cache-control': 'no-store' },
      }
    },
  })
}

function health({ service, log }: SearchSite): Route {
  return jsonRoute({
    path: '/health',
    name: 'health',
    summary: 'Whether the server is well',
    gives: HealthSchema,
    answer: () => ({ status: 'ok' as const, pages: service.pages, queryLog: log?.queries.state }),
  })
}
