import { askAndShow, type ShownAnswer, type ShownResult } from '#library/search/search-results.ts'
import type { SearchService } from '#library/search/search-service.ts'
import { version } from '#library/settings/version.ts'
import { plainJson } from '#parse/text/plain-text.ts'
import { normalQuery } from '#workload/normal-query.ts'
import { homePage } from '../../web/home-page.ts'
import { linkable } from '../../web/html.ts'
import { ICON } from '../../web/icon.ts'
import { messagePage } from '../../web/message-page.ts'
import { resultsPage } from '../../web/results-page.ts'
import { SCRIPT } from '../../web/script.ts'
import { STYLE } from '../../web/style.ts'
import { apiAnswer } from './search-api.ts'
import { clientCookie, clientIdIn, newClientId } from './search-client.ts'
import type { ResultLinks } from './search-links.ts'
import type { QueryLog } from './search-log.ts'
import { openApi } from './search-openapi.ts'
import { apiRequest, MAX_OFFSET, PAGE_SIZE, pageRequest } from './search-parameters.ts'

/** What a search server works with. */
export interface SearchSite {
  readonly service: SearchService
  /** Left out, nothing is kept and nobody gets an id. */
  readonly log?: { readonly queries: QueryLog; readonly links: ResultLinks }
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** A request, as far as it matters here. */
export interface Asked {
  readonly path: string
  readonly parameters: URLSearchParams
  readonly cookies?: string
  /** Whether a person asked by our own page or by hand: not a prefetch, not another site's page. */
  readonly isDeliberate: boolean
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

type Route = (site: SearchSite, asked: Asked) => Answer

const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
/** Going back shows the list as it was; asking again asks us. */
const PRIVATE = { 'cache-control': 'private, no-cache' }

/** Every path there is. Nothing is read from the disk by a name that came with a request. */
export const ROUTES: Readonly<Record<string, Route>> = {
  '/': ({ service, log }) => page(200, homePage(service.pages, log !== undefined)),
  '/search': searchPage,
  '/go': follow,
  '/api/search': searchApi,
  '/api/openapi.json': () => ({ status: 200, type: JSON_TYPE, body: json(openApi(version)) }),
  '/health': ({ service, log }) => ({
    status: 200,
    type: JSON_TYPE,
    body: json({
      status: 'ok',
      pages: service.pages,
      ...(log && { queryLog: log.queries.state }),
    }),
    headers: { 'cache-control': 'no-store' },
  }),
  '/style.css': () => asset('text/css; charset=utf-8', STYLE),
  '/script.js': () => asset('text/javascript; charset=utf-8', SCRIPT),
  '/icon.svg': () => asset('image/svg+xml', ICON),
  '/robots.txt': () => asset('text/plain; charset=utf-8', 'User-agent: *\nDisallow: /\n'),
}

/** Answers a request, or says why not in the form that its sender reads. */
export function answerTo(site: SearchSite, asked: Asked): Answer {
  const route = Object.hasOwn(ROUTES, asked.path) ? ROUTES[asked.path] : undefined
  return route
    ? route(site, asked)
    : refusal(site, asked.path, 404, 'There is no such page', 'The address may be misspelt.')
}

/** A refusal: a page for people, JSON for machines. */
export function refusal(
  { log }: SearchSite,
  path: string,
  status: number,
  heading: string,
  advice: string,
): Answer {
  if (path.startsWith('/api/') || path === '/health')
    return { status, type: JSON_TYPE, body: json({ error: `${heading}: ${advice}` }) }
  return page(status, messagePage(heading, advice, log !== undefined))
}

function searchPage(site: SearchSite, asked: Asked): Answer {
  const { service, log, now } = site
  const request = pageRequest(asked.parameters)
  if (request.kind === 'empty') return page(200, homePage(service.pages, log !== undefined))
  if (request.kind === 'mistake')
    return refusal(site, asked.path, 400, 'This cannot be searched for', `${request.message}.`)
  const answer = askAndShow(service, request.text, request.offset, request.limit)
  const noted = noteSearch(site, asked, answer, 'search-page')
  const body = resultsPage({
    answer,
    pages: service.pages,
    isLogged: log !== undefined,
    isNoted: noted !== undefined,
    hrefOf: noted ? noted.clickPath : ({ url }) => linkable(url) ?? '',
    mostResults: MAX_OFFSET + PAGE_SIZE,
    now: now() / 1000,
  })
  return page(200, body, noted?.isNewClient ? { 'set-cookie': clientCookie(noted.clientId!) } : {})
}

function searchApi(site: SearchSite, asked: Asked): Answer {
  const request = apiRequest(asked.parameters)
  if (request.kind === 'empty') return mistake('q is missing: say what to search for')
  if (request.kind === 'mistake') return mistake(request.message)
  const answer = askAndShow(site.service, request.text, request.offset, request.limit)
  const noted = noteSearch(site, asked, answer, 'search-api')
  return { status: 200, type: JSON_TYPE, body: json(apiAnswer(answer, noted)), headers: PRIVATE }
}

interface Noted {
  readonly queryId: string
  readonly clientId?: string
  readonly isNewClient: boolean
  readonly clickPath: (result: ShownResult) => string
}

/** Logs a search, if searches are logged and somebody meant it to be asked. Programs get no id by asking. */
function noteSearch(
  { log }: SearchSite,
  { cookies, isDeliberate }: Asked,
  { query, offset, total, results }: ShownAnswer,
  application: 'search-page' | 'search-api',
): Noted | undefined {
  // What cannot become workload, because it tells who asked, is not kept in the first place.
  if (!log || !isDeliberate || normalQuery(query).text === undefined) return undefined
  const known = clientIdIn(cookies)
  const clientId = known ?? (application === 'search-page' ? newClientId() : undefined)
  const shown = results.map(({ url }) => url)
  const queryId = log.queries.noteSearch({
    application,
    clientId,
    text: query,
    offset,
    total,
    shown,
  })
  return {
    queryId,
    clientId,
    isNewClient: known === undefined && clientId !== undefined,
    clickPath: ({ url, rank }) => log.links.pathOf({ url, rank, queryId }),
  }
}

/** Leads on to a result that was chosen from a list of ours, and to nowhere else. */
function follow(site: SearchSite, { path, parameters, cookies, isDeliberate }: Asked): Answer {
  const link = site.log?.links.read(parameters)
  const target = link && linkable(link.url)
  if (!link || target === undefined)
    return refusal(
      site,
      path,
      403,
      'This link is not ours',
      'Only results of a search can be opened this way. Search again, and choose from the list.',
    )
  if (isDeliberate) site.log?.queries.noteChoice(link, clientIdIn(cookies))
  return {
    status: 302,
    type: 'text/plain; charset=utf-8',
    body: `${target}\n`,
    headers: { location: target, 'cache-control': 'no-store' },
  }
}

function page(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return { status, type: HTML, body, headers: { ...PRIVATE, ...headers } }
}

function mistake(message: string): Answer {
  return { status: 400, type: JSON_TYPE, body: json({ error: message }), headers: PRIVATE }
}

function asset(type: string, body: string): Answer {
  return { status: 200, type, body, headers: { 'cache-control': 'public, max-age=86400' } }
}

function json(value: unknown): string {
  return `${plainJson(value)}\n`
}
