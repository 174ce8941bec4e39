import { beliefView, learntView } from '#library/views/belief-view.ts'
import { biddingNow } from '#library/views/bidding-now.ts'
import { boardView } from '#library/views/board-view.ts'
import { changesView } from '#library/views/changes-view.ts'
import { hostsView, hostView } from '#library/views/host-views.ts'
import { overview, standing } from '#library/views/overview.ts'
import { explainedPage, pageView } from '#library/views/page-view.ts'
import { greatestNeeds, queriesView, queryView, wantedPages } from '#library/views/query-views.ts'
import type { Look, WatchedCrawl, WholeLook } from '#library/views/watched-crawl.ts'
import type { About } from '../../web/control/action-forms.ts'
import { beliefContent, learntContent } from '../../web/control/belief-page.ts'
import { boardContent, laterBoard, leftContent } from '../../web/control/board-page.ts'
import { changesContent } from '../../web/control/changes-page.ts'
import {
  type ControlFrame,
  controlPage,
  type Place,
  seenText,
} from '../../web/control/control-frame.ts'
import { emptyContent, faultContent } from '../../web/control/empty-page.ts'
import { explainContent } from '../../web/control/explain-part.ts'
import { hostContent, hostsContent } from '../../web/control/hosts-page.ts'
import { overviewContent, standingContent, statesContent } from '../../web/control/overview-page.ts'
import {
  laterQueries,
  needsContent,
  queriesContent,
  queryContent,
  wantedContent,
} from '../../web/control/queries-page.ts'
import { urlContent, urlForm, urlStart } from '../../web/control/url-page.ts'
import { type Html, html } from '../../web/html.ts'
import type { Given, Parameters } from '../http/parameters.ts'
import { Refusal } from '../http/refusal.ts'
import { type Answer, type Asked, htmlAnswer, type Route, route } from '../http/route.ts'
import * as api from './control-api.ts'
import { orderOf, sinceDays, withLook } from './control-routes.ts'
import type { Watched } from './look-routes.ts'
import { doingNow, PARTS, WAIT } from './patience.ts'

/** What pages are made from beside what a look tells. */
interface ControlSite extends Watched {
  readonly hasSearch: boolean
  /** What can be done, as forms. */
  readonly actions?: (look: Look, about: About) => Html
}

const NEEDS_SHOWN = 5
const SEEDS_SHOWN = 5
/** A page of the control room: its title, and what stands below it. */
interface Content {
  readonly title: string
  readonly content: Html
  /** What actions are about. */
  readonly about?: About
}

type Make<P extends Parameters, L extends Look = Look> = (
  look: L,
  given: Given<P>,
  now: number,
) => Promise<Content | Refusal>

/** Every page, and the parts of pages that come later. */
export function controlPages(site: ControlSite): Route[] {
  const pageOf =
    <L extends Look>(watched: WatchedCrawl<L>) =>
    <P extends Parameters>(name: string, place: Place, make: Make<P, L>, parameters?: P) =>
      route<P>({
        path: name === '' ? '/control' : `/control/${name}`,
        parameters,
        isSlow: watched.readsAll,
        answer: (given: Given<P>, asked: Asked) => {
          const work = madePage(watched, place, (look, now) => make(look, given, now))
          return answerWith(site, asked, place, work)
        },
      })
  const page = pageOf(site.tables)
  const ofAll = pageOf(site.whole)
  return [
    page('', '', async (look, _, now) => ({
      title: 'How is it going?',
      content: overviewContent(await overview(look), now),
      about: { kind: 'crawl' },
    })),
    page('queries', 'queries', queriesPage, api.QUERIES_PARAMETERS),
    ofAll('part/queries', 'queries', queriesPart, api.QUERIES_PARAMETERS),
    ofAll(
      'query',
      'queries',
      async (look, { q }, now) => {
        const found = await queryView(look, q)
        return found
          ? titled(`“${q}”`, queryContent(found, now))
          : new Refusal(404, 'Nobody asked that, as far as the log tells.')
      },
      api.QUERY_PARAMETERS,
    ),
    page('page', 'page', urlPage, { url: { ...api.PAGE_PARAMETERS.url, default: '' } }),
    page('belief', 'belief', async (look) =>
      titled('Can I believe it?', beliefContent(await beliefView(look))),
    ),
    page(
      'hosts',
      'hosts',
      async (look, { q, offset, limit }, now) => {
        const ask = { named: q, offset, limit }
        return titled('Hosts', hostsContent(await hostsView(look, ask), ask, now))
      },
      api.HOSTS_PARAMETERS,
    ),
    page(
      'host',
      'hosts',
      async (look, { name }, now) => {
        const host = await hostView(look, name)
        if (!host) return new Refusal(404, 'No such host is known.')
        const { told, waiting } = host.manner
        const about = { kind: 'host', host: host.host, told: waiting ?? told } as const
        return { title: name, content: hostContent(host, now), about }
      },
      api.HOST_PARAMETERS,
    ),
    page(
      'board',
      'board',
      async (_, { fetches }) => titled('The board', laterBoard(fetches)),
      api.BOARD_PARAMETERS,
    ),
    ofAll(
      'part/board',
      'board',
      async (look, { fetches }) =>
        titled('The board', boardContent(await boardView(look, fetches))),
      api.BOARD_PARAMETERS,
    ),
    page(
      'changes',
      'changes',
      async (look, ask, now) => {
        const view = await changesView(look, { ...ask, since: sinceDays(look, ask.days) })
        return titled(
          `Changes of the last ${ask.days} ${ask.days === 1 ? 'day' : 'days'}`,
          changesContent(view, ask, now),
        )
      },
      api.CHANGES_PARAMETERS,
    ),
    ofAll('part/left', 'board', async (look) =>
      titled(
        'What is left to gain',
        leftContent(await boardView(look, api.BOARD_PARAMETERS.fetches.default as number)),
      ),
    ),
    ofAll('part/standing', '', async (look) =>
      titled('What is held and waits', standingContent(await standing(look), look.settings.dir)),
    ),
    ofAll('part/states', '', async (look) =>
      titled('What became of URLs', statesContent(await standing(look))),
    ),
    ofAll('part/learnt', 'belief', async (look, _, now) =>
      titled('What was learnt from it', learntContent(await learntView(look), now)),
    ),
    ofAll('part/needs', '', async (look) =>
      titled('What searchers miss most', needsContent(await greatestNeeds(look, NEEDS_SHOWN))),
    ),
    ofAll(
      'part/wanted',
      'queries',
      async (look, { q }) => {
        const { order } = await biddingNow(look)
        return titled(
          'Pages that would change the answer',
          wantedContent(await wantedPages(look, q), order.length),
        )
      },
      api.QUERY_PARAMETERS,
    ),
    ofAll(
      'part/explain',
      'page',
      async (look, { url }) =>
        titled(
          'Who wants it, and what holds it back',
          explainContent(await explainedPage(look, url)),
        ),
      api.PAGE_PARAMETERS,
    ),
  ]
}

const titled = (title: string, content: Html): Content => ({ title, content })

const askedOf = ({ q, order, offset, limit }: Given<typeof api.QUERIES_PARAMETERS>) => ({
  ...{ text: q, order: orderOf(order), offset, limit },
})

const QUERIES_TITLE = 'What do searchers miss?'

const queriesPage: Make<typeof api.QUERIES_PARAMETERS> = async (_, given) =>
  titled(QUERIES_TITLE, laterQueries(askedOf(given)))

const queriesPart: Make<typeof api.QUERIES_PARAMETERS, WholeLook> = async (look, given, now) => {
  const ask = askedOf(given)
  return titled(QUERIES_TITLE, queriesContent(await queriesView(look, ask), ask, now))
}

const urlPage: Make<{ url: typeof api.PAGE_PARAMETERS.url }> = async (look, { url }, now) => {
  const title = 'Why this page?'
  if (url === '') return titled(title, urlStart(look.tables.seeds.slice(0, SEEDS_SHOWN)))
  const view = await pageView(look, url)
  const about = { kind: 'page', url: view.url, known: view.known } as const
  return { title, content: urlContent(view, now), about }
}

/** A page as it is answered: its status, and what stands in it. */
interface MadePage extends Content {
  readonly status?: number
  readonly seen?: Look
}

/** A whole page; only its content where a script asks for a part of one. */
async function answerWith(
  site: ControlSite,
  { path, query, headers }: Asked,
  place: Place,
  work: Promise<MadePage>,
): Promise<Answer> {
  const { dir } = site.tables
  const isPart = path.startsWith(PARTS)
  const made = await work
  const { title, content, status = 200, seen, about } = made
  const actions = seen && about && site.actions?.(seen, about)
  if (headers['x-part'] !== undefined && (isPart || query.has(WAIT)))
    return htmlAnswer(status, html`${content}${actions}`.text, {
      'x-title': encodeURIComponent(isPart ? '' : title),
      ...(seen && { 'x-seen': seenText(seen.at) }),
    })
  const doing = seen && doingNow(dir)
  const frame: ControlFrame = { dir, hasSearch: site.hasSearch, seenAt: seen?.at, actions, doing }
  return htmlAnswer(status, controlPage(frame, place, title, content))
}

async function madePage<L extends Look>(
  watched: WatchedCrawl<L>,
  place: Place,
  make: (look: L, now: number) => Promise<Content | Refusal>,
): Promise<MadePage> {
  const { dir } = watched
  const seen = await watched.see()
  if (seen.kind === 'nothing') return titled('Control room', emptyContent(dir))
  if (seen.kind === 'fault')
    return { ...titled('Control room', faultContent(dir, seen.error.message)), status: 503 }
  const { look } = seen
  const { isArchiveTime, now: archiveTime } = look.tables
  const now = isArchiveTime ? archiveTime : Date.now() / 1000
  const made = await withLook(watched, (look) => make(look, now))
  if (!(made instanceof Refusal)) return { ...made, seen: look }
  const content = html`${place === 'page' && urlForm()}<ul class="problems"><li><strong>${made.advice}</strong></li></ul>`
  return { title: 'Not found', content, status: made.status, seen: look }
}
