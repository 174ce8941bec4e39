import { html } from './html.ts'
import { LOGO } from './icon.ts'
import { pageText, searchForm } from './page-frame.ts'

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
