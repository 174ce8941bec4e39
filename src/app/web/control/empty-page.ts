import { type Html, html } from '../html.ts'
import { section } from './blocks/blocks.ts'

/** What a directory without a crawl shows: how to begin. */
export function emptyContent(dir: string): Html {
  return html`${section(
    'begin',
    'Nothing has been crawled here yet',
    html`<ol class="tight">
<li>Tell the crawler what people search for, if you have a log of that: <code>forager queries import queries.csv --format csv --dir ${dir}</code></li>
<li>Begin a crawl: <code>forager crawl https://example.org/ --scope domain --contact you@example.org --dir ${dir}</code></li>
<li>This page shows it as soon as the first pages are in.</li>
</ol><p><code>forager init</code> asks a few questions and writes a configuration; <code>forager demo --serve</code> shows a crawl of a made-up web, without any network.</p>`,
    'This page fills by itself.',
  )}`
}

/** What a directory shows that cannot be read. */
export function faultContent(dir: string, why: string): Html {
  return section(
    'fault',
    'The crawl cannot be read',
    html`<ul class="problems"><li><strong>${why}</strong></li></ul><p>See what is damaged, and mend it: <code>forager check --dir ${dir}</code>. What was logged is not lost.</p>`,
  )
}
