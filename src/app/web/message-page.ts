import { html } from './html.ts'
import { pageText } from './page-frame.ts'

/** A page that says what went wrong and what to do about it. */
export function messagePage(heading: string, advice: string, isLogged: boolean): string {
  return pageText({
    title: `${heading} – Forager`,
    kind: 'inner',
    isLogged,
    content: html`<div class="reading"><div class="notice">
<h1>${heading}</h1>
<p>${advice}</p>
<p><a href="/">Back to the search page</a></p>
</div></div>`,
  })
}
