import { html } from './html.ts'

/** A magnifier that has found a leaf. */
const SHAPES = html`<circle cx="13.5" cy="13.5" r="10" fill="none" stroke="currentColor" stroke-width="3"/><path d="M21 21l7.5 7.5" stroke="currentColor" stroke-width="4" stroke-linecap="round"/><path d="M8.5 17.5c-.5-6 3-9 10-9 .5 6.5-2.5 10-8 9.5m-2.5 1c1.5-3.5 3.5-5.5 6.5-7" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`

/** For the page, in the colour of its words. */
export const LOGO = html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">${SHAPES}</svg>`

/** For the browser's tab; green is seen on light and dark ones. */
export const ICON =
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" color="#2f8f5b">${SHAPES}</svg>`
    .text
