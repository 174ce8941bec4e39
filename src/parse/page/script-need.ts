import { mainText } from './main-text.ts'
import type { Link } from './page.ts'

/** What a page looks like that shows little unless its scripts run: little text or links, or the empty frame of an application. */
export type ScriptNeed = 'thin' | 'shell'

/** A page with more text than this says something without its scripts. */
const MOST_CHARS = 400
/** With more than this beside it, as in menus, it is taken for a page like any other; and so it is if it leads somewhere. */
const MOST_CHARS_IN_ALL = 2_000
/** Signs are looked for in so much of the markup: applications are short, their scripts lie elsewhere. */
const READ_CHARS = 200_000

/** Elements that frameworks fill, still empty: by the ids they come with, and by names of their own. */
const EMPTY_ROOT =
  /<(?:div|main|section)\b[^>]{0,200}\bid=["']?(?:root|app|main-app|__next|__nuxt|___gatsby|svelte|q-app|react-root|ember-app)["']?(?:\s[^>]{0,200})?>\s*(?:<!--[^>]{0,200}-->\s*)?<\/(?:div|main|section)>/i
const OWN_ROOT =
  /<(?:app-root|ember-application)\b|\s(?:ng-app|ng-version|data-reactroot|v-cloak)\b/i
const ASKS_FOR_SCRIPTS =
  /<noscript\b[^>]{0,200}>[^<]{0,100}(?:<[^>]{0,200}>[^<]{0,100}){0,4}javascript/i

/**
 * Whether a page seems to need its scripts, and by how strong a sign. This is only where learning begins: what
 * rendering brought elsewhere on the site decides (`learn/renderings/`).
 */
export function scriptNeed(
  html: string,
  page: {
    readonly text: string
    readonly asides?: readonly number[]
    readonly links: readonly Link[]
  },
): ScriptNeed | undefined {
  if (page.text.length >= MOST_CHARS_IN_ALL) return undefined
  const saysLittle = mainText(page).length < MOST_CHARS
  if (!saysLittle && page.links.length > 1) return undefined
  const markup = html.slice(0, READ_CHARS)
  if (!/<script\b/i.test(markup)) return undefined
  const hasSign = EMPTY_ROOT.test(markup) || OWN_ROOT.test(markup) || ASKS_FOR_SCRIPTS.test(markup)
  return hasSign && saysLittle ? 'shell' : 'thin'
}
