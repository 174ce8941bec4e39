import type { HostTerms } from '#frontier/instructions.ts'
import type { ActionEffect } from '#library/actions/action-effect.ts'
import type { ControlAction, DoneAction } from '#library/actions/control-actions.ts'
import { type Html, html } from '../html.ts'
import { AS_SETTINGS, actionText, BUTTONS, buttonOf, MEANINGS, whenText } from './action-words.ts'
import { section } from './blocks/blocks.ts'
import { count, when } from './blocks/words.ts'

type Kind = ControlAction['kind']

/** What actions go by. */
interface Actions {
  readonly possible: readonly Kind[]
  /** Says that a form is ours. */
  readonly key: string
  /** Of a service, if its settings file names it. */
  readonly fetchesADay?: number
  /** Patterns that are excluded now. */
  readonly excluded: readonly string[]
  /** The latest first. */
  readonly done: readonly DoneAction[]
}

/** What a page is about: one URL, one host, or the crawl. */
export type About =
  | { readonly kind: 'crawl' }
  | { readonly kind: 'page'; readonly url: string; readonly known: boolean }
  /** A host, with what operators said of it last. */
  | { readonly kind: 'host'; readonly host: string; readonly told?: HostTerms }

const SHOWN_ON: Readonly<Record<About['kind'], readonly Kind[]>> = {
  crawl: ['pause', 'resume', 'stop', 'reload', 'rate', 'seed', 'exclude'],
  page: ['fetch', 'forget', 'exclude', 'seed'],
  host: ['site', 'exclude'],
}

/** Forms for what can be done now; each asks once more before anything happens. */
export function actionForms(actions: Actions, about: About, now: number): Html {
  const shown = SHOWN_ON[about.kind].filter(
    (kind) => actions.possible.includes(kind) && makesSense(kind, about),
  )
  const forms = shown.map((kind) => actionForm(actions, kind, fieldsOf(kind, about, actions)))
  if (about.kind === 'host' && about.told && Object.keys(about.told).length > 0)
    forms.push(actionForm(actions, 'site', hidden('host', about.host), AS_SETTINGS))
  return html`<div class="actions">${section('actions', 'What you can do', html`<div class="forms">${forms}</div>${about.kind === 'crawl' && html`${excludedList(actions)}${doneList(actions, now)}`}`)}</div>`
}

/** Of a page that is not known nothing can be forgotten, and one that is known needs not be a seed. */
function makesSense(kind: Kind, about: About): boolean {
  if (about.kind !== 'page') return true
  return about.known ? kind !== 'seed' : kind === 'fetch' || kind === 'seed'
}

function actionForm(
  { key }: Pick<Actions, 'key'>,
  kind: Kind,
  fields: Html | false,
  words = BUTTONS[kind],
): Html {
  return html`<form action="/control/act" method="post"><input type="hidden" name="key" value="${key}"><input type="hidden" name="action" value="${kind}">${fields}<button class="plain" type="submit">${words}</button></form>`
}

const hidden = (name: string, value: string) =>
  html`<input type="hidden" name="${name}" value="${value}">`

function fieldsOf(kind: Kind, about: About, { fetchesADay }: Actions): Html | false {
  const url = about.kind === 'page' ? about.url : ''
  if (kind === 'seed' && url === '')
    return html`<div><label for="new-seed">A URL to begin with</label><input id="new-seed" name="url" type="text" inputmode="url" maxlength="2000" required autocomplete="off" autocapitalize="none" spellcheck="false"></div>`
  if (kind === 'seed' || kind === 'fetch' || kind === 'forget') return hidden('url', url)
  if (kind === 'rate')
    return html`<div><label for="new-rate">Fetches a day</label><input id="new-rate" name="fetchesADay" type="number" min="1" required value="${fetchesADay}"></div>`
  if (kind === 'exclude')
    return html`<div><label for="new-pattern">Addresses to leave alone; * is anything</label><input id="new-pattern" name="pattern" type="text" value="${patternFor(about)}" placeholder="example.org/print/*" maxlength="2000" required autocomplete="off" autocapitalize="none" spellcheck="false"></div>`
  if (kind === 'site' && about.kind === 'host') return termFields(about.host, about.told ?? {})
  return false
}

function termFields(host: string, told: HostTerms): Html {
  const { delay, concurrency, quietHours, maxPages, refreshAfter } = told
  return html`${hidden('host', host)}<div><label for="new-delay">Seconds between two requests</label><input id="new-delay" name="delay" type="number" min="0" max="3600" step="any" value="${delay}" aria-describedby="new-manner"></div>
<div><label for="new-concurrency">Requests at once</label><input id="new-concurrency" name="concurrency" type="number" min="1" max="64" step="1" value="${concurrency}" aria-describedby="new-manner"></div>
<div><label for="new-quiet">Quiet hours, with commas between</label><input id="new-quiet" name="quietHours" type="text" value="${quietHours?.join(', ')}" placeholder="Mon-Fri 08:00-18:00" maxlength="300" autocomplete="off" spellcheck="false" aria-describedby="new-manner"></div>
<div><label for="new-most">Pages at most, in all</label><input id="new-most" name="maxPages" type="number" min="1" step="1" value="${maxPages}" aria-describedby="new-manner"></div>
<div><label for="new-age">Fetch copies again after</label><input id="new-age" name="refreshAfter" type="text" value="${refreshAfter !== undefined && spanValue(refreshAfter)}" placeholder="7d" maxlength="30" autocomplete="off" spellcheck="false" aria-describedby="new-manner"></div><small id="new-manner" class="quiet whole">Whatever is left empty is as the settings say.</small>`
}

/** A span as it can be typed in. */
function spanValue(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`
  return seconds % 3_600 === 0 ? `${seconds / 3_600}h` : `${seconds}s`
}

/** The folder of a page, or all of a host, to begin with. */
function patternFor(about: About): string {
  if (about.kind === 'host') return `${about.host}/*`
  const { host = '', pathname = '' } = about.kind === 'page' ? (URL.parse(about.url) ?? {}) : {}
  return host === '' ? '' : `${host}${pathname.slice(0, pathname.lastIndexOf('/') + 1)}*`
}

function excludedList(actions: Actions): Html | false {
  const { excluded } = actions
  return (
    excluded.length > 0 &&
    html`<h3>Excluded from here</h3><ul class="rows">${excluded.map((pattern) => html`<li><code>${pattern}</code>${actionForm(actions, 'readmit', hidden('pattern', pattern))}</li>`)}</ul>`
  )
}

function doneList({ done }: Actions, now: number): Html | false {
  return (
    done.length > 0 &&
    html`<h3>Done from here lately</h3><ul class="tight">${done.map((action) => html`<li><bdi>${actionText(action)}</bdi>, ${when(action.at, now)}</li>`)}</ul>`
  )
}

/** Where to go back to from an action. */
function backTo(action: ControlAction): string {
  if (action.kind === 'site') return `/control/host?name=${encodeURIComponent(action.host)}`
  const isPage = action.kind === 'fetch' || action.kind === 'forget'
  return isPage ? `/control/page?url=${encodeURIComponent(action.url)}` : '/control'
}

/** Asks once more. */
export function confirmContent(
  action: ControlAction,
  key: string,
  isRunning: boolean,
  effect: ActionEffect | undefined,
): Html {
  const { kind, ...values } = action
  const fields = Object.entries(values).flatMap(
    ([name, value]) => (value === undefined ? [] : hidden(name, String(value))), // a list as it was given
  )
  return section(
    'confirm',
    `${buttonOf(action)}?`,
    html`<p><strong><bdi>${actionText(action)}</bdi></strong></p><p>${MEANINGS[kind]} ${whenText(kind, isRunning)}</p>
${effect && effectText(effect)}
<form action="/control/act" method="post">${hidden('key', key)}${hidden('action', kind)}${hidden('confirmed', 'yes')}${fields}<button type="submit">Yes, ${buttonOf(action).toLowerCase()}</button></form>
<p class="back"><a href="${backTo(action)}">No, go back</a></p>`,
  )
}

function effectText({ urls, pages, examples }: ActionEffect): Html {
  if (urls === 0)
    return html`<p>No URL that is known is like that: it would hold for links found from now on.</p>`
  return html`<p>${count(urls)} known ${urls === 1 ? 'URL is' : 'URLs are'} like that, ${count(pages)} of them have given a page. Among them:</p><ul class="tight">${examples.map((url) => html`<li><bdi>${url}</bdi></li>`)}</ul>`
}

/** Says that it was done. */
export function doneContent(action: ControlAction, isRunning: boolean): Html {
  return section(
    'done',
    actionText(action),
    html`<p>${whenText(action.kind, isRunning) || MEANINGS[action.kind]} It is noted in <code>control-log.jsonl</code>.</p><p class="back"><a href="${backTo(action)}">Back to where you were</a></p>`,
  )
}
