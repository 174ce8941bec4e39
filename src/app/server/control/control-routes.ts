import { SettingError } from '#errors/setting-error.ts'
import { version } from '#library/settings/version.ts'
import { beliefView, learntView } from '#library/views/belief-view.ts'
import { boardView } from '#library/views/board-view.ts'
import { changesView } from '#library/views/changes-view.ts'
import { hostsView, hostView } from '#library/views/host-views.ts'
import { overview, standing } from '#library/views/overview.ts'
import { explainedPage, pageView } from '#library/views/page-view.ts'
import { standingProblems } from '#library/views/problems.ts'
import { type QueryOrder, queriesView, queryView, wantedPages } from '#library/views/query-views.ts'
import type { Look, WatchedCrawl, WholeLook } from '#library/views/watched-crawl.ts'
import { toldProblem } from '../../web/control/problem-words.ts'
import { withOpenApi } from '../http/openapi.ts'
import type { Given, Parameters } from '../http/parameters.ts'
import { Refusal } from '../http/refusal.ts'
import { jsonRoute, type Route } from '../http/route.ts'
import type { Schema } from '../http/schema.ts'
import * as api from './control-api.ts'
import type { Watched } from './look-routes.ts'

const ABOUT = {
  title: 'Forager control room',
  version,
  description: 'What a crawl does, why, and what it is worth.',
}

/** Looks at a crawl for a view; a refusal where there is none. */
export async function withLook<T, L extends Look>(
  watched: WatchedCrawl<L>,
  work: (look: L) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const seen = await watched.see()
  if (seen.kind === 'nothing') return new Refusal(404, 'Nothing has been crawled here yet.')
  if (seen.kind === 'fault') return new Refusal(503, seen.error.message)
  try {
    const { look } = seen
    return await look.use(() => work(look))
  } catch (error) {
    if (error instanceof SettingError) return new Refusal(400, error.message)
    throw error
  }
}

/** The views for machines: each has what the page of the same name shows. */
export function controlApi({ tables, whole }: Watched): readonly Route[] {
  const twin =
    <L extends Look>(watched: WatchedCrawl<L>) =>
    <Value, P extends Parameters = Record<never, never>>(
      name: string,
      summary: string,
      gives: Schema<Value>,
      make: (look: L, given: Given<P>) => Promise<NoInfer<Value> | Refusal>,
      parameters?: P,
    ) =>
      jsonRoute<Value, P>({
        path: `/api/control/${name}`,
        ...{ name: `control-${name}`, summary, gives, refuses: [401, 404, 503] },
        ...{ parameters, isSlow: watched.readsAll },
        answer: (given: Given<P>) => withLook(watched, (look) => make(look, given)),
      } as never)
  const view = twin(whole)
  const ofTables = twin(tables)
  return withOpenApi(
    ABOUT,
    [
      view('overview', 'How it is going', api.OverviewSchema, toldOverview),
      view(
        'queries',
        'What searchers ask and miss',
        api.QueriesSchema,
        (look, ask) => queriesView(look, { ...ask, text: ask.q, order: orderOf(ask.order) }),
        api.QUERIES_PARAMETERS,
      ),
      view(
        'query',
        'One query',
        api.QuerySchema,
        async (look, { q }) => {
          const found = await queryView(look, q)
          return found
            ? { ...found, wanted: await wantedPages(look, q) }
            : new Refusal(404, 'Nobody asked that.')
        },
        api.QUERY_PARAMETERS,
      ),
      view(
        'page',
        'What is known of a URL, who wants it and what holds it back',
        api.PageSchema,
        async (look, { url }) => ({
          ...(await pageView(look, url)),
          explained: await explainedPage(look, url),
        }),
        api.PAGE_PARAMETERS,
      ),
      view('belief', 'Predicted against realised', api.BeliefSchema, async (look) => ({
        ...(await beliefView(look)),
        ...(await learntView(look)),
      })),
      ofTables(
        'hosts',
        'Where the budget goes',
        api.HostsSchema,
        (look, ask) => hostsView(look, { ...ask, named: ask.q }),
        api.HOSTS_PARAMETERS,
      ),
      ofTables(
        'host',
        'One host with its sections',
        api.HostSchema,
        async (look, { name }) =>
          (await hostView(look, name)) ?? new Refusal(404, 'No such host is known.'),
        api.HOST_PARAMETERS,
      ),
      view(
        'board',
        'The next fetches, the price, and other budgets',
        api.BoardSchema,
        (look, { fetches }) => boardView(look, fetches),
        api.BOARD_PARAMETERS,
      ),
      ofTables(
        'changes',
        'What was new, changed or gone',
        api.ChangesSchema,
        (look, ask) => changesView(look, { ...ask, since: sinceDays(look, ask.days) }),
        api.CHANGES_PARAMETERS,
      ),
    ],
    '/api/control/openapi.json',
  )
}

async function toldOverview(look: WholeLook): Promise<api.ToldOverview> {
  const { problems, status: stored, ...rest } = await overview(look)
  const { alarms, ...more } = await standing(look)
  const status = { ...stored, ...more, budget: { ...stored.budget, alarms } }
  const { dir } = rest
  return {
    ...rest,
    ...{ status, known: status.known, held: status.states.page ?? 0, waiting: status.board.urls },
    problems: [...problems, ...standingProblems({ alarms, ...more })].map((problem) =>
      toldProblem(problem, dir),
    ),
  }
}

/** By the crawl's own time: an archive's stands still. */
export function sinceDays({ tables }: Look, days: number): number {
  return Math.floor(tables.now / 3_600) * 3_600 - days * 86_400
}

export function orderOf(given: string): QueryOrder {
  return given === 'weight' || given === 'score' ? given : 'neediness'
}
