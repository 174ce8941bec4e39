import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'
import { LOGO } from './icon.ts'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'

/** What every page shows around its content. */
interface PageFrame {
  readonly title: string
  /** Another look for the front page, where the form stands in the middle. */
  readonly kind: 'home' | 'inner'
  /** What the field holds. */
  readonly query?: string
  /** Where the skip link leads, in words. */
  readonly skipTo?: string
  readonly isLogged: boolean
  readonly content: Html
}

/** The path of an asset: another one if its content is another, as browsers keep it by that. */
export function pathOf(name: string, text: string): string {
  return `/${name}?v=${createHash('sha256').update(text).digest('hex').slice(0, 10)}`
}
export const STYLE_PATH: string = pathOf('style.css', STYLE)
const SCRIPT_PATH = pathOf('script.js', SCRIPT)

/** What stands before the body of any page. */
export function pageHead(title: string, styles: readonly string[], script: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}<link rel="icon" href="/icon.svg" type="image/svg+xml">
<script src="${script}" defer></script>
</head>`
}

/** A whole page. */
export function pageText(frame: PageFrame): string {
  const { title, kind, query = '', skipTo = 'content', isLogged, content } = frame
  const page = html`${pageHead(title, [STYLE_PATH], SCRIPT_PATH)}
<body class="${kind}">
${
  kind === 'inner' &&
  html`<a class="unseen skip" href="#main">Skip to ${skipTo}</a>
<header class="bar"><div class="bar-inside">
<a class="brand" href="/">${LOGO}<span>Forager</span></a>
${searchForm(query, false)}
</div></header>
`
}<main id="main" tabindex="-1">
${content}
</main>
<footer><p>
<span>${isLogged ? 'Searches and choices are kept on this machine under a random id, so that the crawler learns what is missing.' : 'Searches are not kept.'}</span>
<span id="slash" hidden>Press <kbd>/</kbd> to search</span>
</p></footer>
</body>
</html>
`
  return page.text
}

/** The field and its button; it works as a plain form. */
function searchForm(query: string, hasFocus: boolean): Html {
  return html`<search><form action="/search" method="get">
<label class="unseen" for="q">Search the crawled pages</label>
<input id="q" name="q" type="search" value="${query}" maxlength="500" required autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="search" placeholder="Search pages"${hasFocus && html` autofocus`}>
<button type="submit">Search</button>
</form></search>`
}

/** Where whoever asked for a path in vain may go on. */
interface WayBack {
  readonly path: string
  readonly isLogged: boolean
}

/** A page that says what went wrong and what to do about it. */
export function messagePage(heading: string, advice: string, { path, isLogged }: WayBack): string {
  const [to, name] = path.startsWith('/control/')
    ? ['/control', 'control room']
    : ['/', 'search page']
  return pageText({
    title: `${heading} – Forager`,
    kind: 'inner',
    isLogged,
    content: html`<div class="reading"><div class="notice">
<h1>${heading}</h1>
<p>${advice}</p>
<p><a href="${to}">Back to the ${name}</a></p>
</div></div>`,
  })
}

/** The front page: a field, and how much there is to search. */
export function homePage(pages: number, isLogged: boolean): string {
  return pageText({
    title: 'Forager',
    kind: 'home',
    isLogged,
    content: html`<h1>${LOGO}Forager</h1>
${searchForm('', true)}
${
  pages > 0
    ? html`<p>${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'} to search</p>`
    : html`<p>Nothing has been indexed yet. Crawl something first: <code>forager crawl https://example.org/</code></p>`
}`,
  })
}
