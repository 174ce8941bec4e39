import { detached } from '../text/detached.ts'
import { ASIDE, MAIN } from './html-elements.ts'
import { CLASS, ID, ROLE, type TagAttributes } from './tag-attributes.ts'

/** What an element says of the part of a page that it holds; bits. */
export const IS_HIDDEN = 1
/** Menus, footers, cookie notes. */
export const IS_ASIDE = 2
/** Called so, but notes within a text are too: its sentences are not aside. */
export const MAY_BE_ASIDE = 8
/** What the page is about, as its author says. */
export const IS_MAIN = 4
/** What stands in it belongs together. */
export const IS_PLACE = 16

const ASIDE_ROLES =
  /^(?:navigation|contentinfo|complementary|search|banner|menu|menubar|alertdialog)$/i
/** Whole words of class or id, as they are joined by dashes, underscores and capitals. */
const ASIDE_NAMES =
  /(?:^|[\s_-])(?:nav|navbar|navi|navigation|navheader|navfooter|menu|sidenav|footer|breadcrumbs?|cookies?|consent|gdpr|masthead|pagination|pager|skip-?link|sphinxsidebar|toolbar)(?:$|[\s_-])/i
const DOUBTFUL_NAMES = /(?:^|[\s_-])(?:sidebar|related|share|social|aside)(?:$|[\s_-])/i
/** One look tells that a name says nothing, as nearly all do. */
const TELLING_NAMES = new RegExp(`${ASIDE_NAMES.source}|${DOUBTFUL_NAMES.source}`, 'i')
/** No telling name is longer, and to look through megabytes of classes takes long. */
const MOST_NAME_CHARS = 200

/** What part of a page an element holds, by its traits, role, class and id; 0 if that says nothing. */
export function partOfPage(traits: number, attributes: TagAttributes): number {
  if (traits & ASIDE) return IS_ASIDE
  if (traits & MAIN) return IS_MAIN
  const role = attributes.written(ROLE)
  if (role !== undefined && /^main$/i.test(role)) return IS_MAIN
  if (role !== undefined && ASIDE_ROLES.test(role)) return IS_ASIDE
  return partByClass(attributes.written(CLASS)) || partByName(attributes.written(ID))
}

/** Sites use few names, again and again. */
const KNOWN_NAMES = new Map<string, number>()
const MOST_KNOWN_NAMES = 5_000

function partByClass(value: string | undefined): number {
  if (value === undefined || value.length > MOST_NAME_CHARS) return 0
  const known = KNOWN_NAMES.get(value)
  if (known !== undefined) return known
  const part = partByName(value)
  if (KNOWN_NAMES.size >= MOST_KNOWN_NAMES) KNOWN_NAMES.clear()
  KNOWN_NAMES.set(detached(value), part)
  return part
}

function partByName(value: string | undefined): number {
  if (value === undefined || value.length > MOST_NAME_CHARS || !TELLING_NAMES.test(value)) return 0
  return ASIDE_NAMES.test(value) ? IS_ASIDE : MAY_BE_ASIDE
}
