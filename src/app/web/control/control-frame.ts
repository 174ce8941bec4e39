import { type Html, html } from '../html.ts'
import { LOGO } from '../icon.ts'
import { pageHead, pathOf, STYLE_PATH } from '../page-frame.ts'
import { pathTo } from './blocks/words.ts'
import { CONTROL_SCRIPT } from './control-script.ts'
import { CONTROL_STYLE } from './control-style.ts'

/** What every page of the control room shows around its content. */
export interface ControlFrame {
  /** The directory that is looked at. */
  readonly dir: string
  /** Who is told of the time of what is shown; left out before there is anything. */
  readonly seenAt?: number
  /** Whether the same server has the search page. */
  readonly hasSearch: boolean
  /** Forms for what can be done, if anything can. */
  readonly actions?: Html
  /** What the crawl does just now, in a word or two; left out before there is one. */
  readonly doing?: Doing
  /** It answers a form, and does not renew itself. */
  readonly isStill?: boolean
}

/** What a crawl does, for all pages. */
export interface Doing {
  readonly kind: 'crawling' | 'paused' | 'stopping' | 'reloading' | 'at rest'
  readonly words: string
}

const PAGES = [
  ['', 'Overview'],
  ['queries', 'Queries'],
  ['page', 'Pages'],
  ['belief', 'Belief'],
  ['hosts', 'Hosts'],
  ['board', 'Board'],
  ['changes', 'Changes'],
] as const

/** A page in the navigation, or one that belongs to it. */
export type Place = (typeof PAGES)[number][0]

/** What a page is called in the navigation. */
export function placeName(place: Place): string {
  return PAGES.find(([page]) => page === place)![1]
}

/** The place that a path belongs to. */
export function placeOf(path: string): Place {
  const name = path.replace(/^\/control\/?(part\/)?/, '')
  return PAGES.find(([page]) => page === (BELONGS[name] ?? name))?.[0] ?? ''
}

const BELONGS: Readonly<Record<string, Place>> = {
  ...{ query: 'queries', wanted: 'queries', host: 'hosts' },
  ...{ explain: 'page', learnt: 'belief', left: 'board' },
}

/** When something was seen, in few words. */
export function seenText(seenAt: number): string {
  return `${new Date(seenAt * 1000).toISOString().slice(11, 19)} UTC`
}

/** A whole page. */
export function controlPage(
  frame: ControlFrame,
  here: Place,
  title: string,
  content: Html,
): string {
  const { dir, seenAt, hasSearch, actions, doing, isStill = false } = frame
  const links = PAGES.map(
    ([page, name]) =>
      html`<li><a href="${pathTo(page)}"${page === here && html` aria-current="page"`}>${name}</a></li>`,
  )
  const styles = [STYLE_PATH, pathOf('control.css', CONTROL_STYLE)]
  return html`${pageHead(`${title} – Forager control room`, styles, pathOf('control.js', CONTROL_SCRIPT))}
<body class="inner control"${isStill && html` data-still`}>
<a class="unseen skip" href="#main">Skip to content</a>
<header class="bar"><div class="bar-inside">
<a class="brand" href="${pathTo('')}">${LOGO}<span>Control room</span></a>
<p id="doing" class="doing">${doing && html`<span class="${doing.kind.replace(' ', '-')}">${doing.words}</span>`}</p>
${hasSearch && html`<a class="to-search" href="/">Search page</a>`}
</div>
<nav class="rooms" aria-label="Control room"><ul>${links}</ul></nav>
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${content}
${actions}
</main>
<footer><p>
<span>Crawl in <code>${dir}</code></span>
<span id="live">${seenAt !== undefined && html`As of <time datetime="${new Date(seenAt * 1000).toISOString()}">${seenText(seenAt)}</time>`}</span>
<span><a href="/api/control/openapi.json">The same as JSON</a></span>
</p></footer>
</body>
</html>
`.text
}
