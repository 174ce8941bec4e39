import { CLASS, ID, ROLE, type TagAttributes } from './tag-attributes.ts'

/** What an element says of the part of a page that it holds; bits. */
export const IS_HIDDEN = 1
/** Menus, footers, cookie notes. */
export const IS_ASIDE = 2
/** Called so, but notes within a text are too: its sentences are not aside. */
export const MAY_BE_ASIDE = 8
/** What the page is about, as its author says. */
export const IS_MAIN = 4

const ASIDES = new Set(['nav', 'footer', 'aside', 'menu', 'search', 'dialog'])
const ASIDE_ROLES =
  /^(?:navigation|contentinfo|complementary|search|banner|menu|menubar|alertdialog)$/i
/** Whole words of class or id, as they are joined by dashes, underscores and capitals. */
const ASIDE_NAMES =
  /(?:^|[\s_-])(?:nav|navbar|navi|navigation|navheader|navfooter|menu|sidenav|footer|breadcrumbs?|cookies?|consent|gdpr|masthead|pagination|pager|skip-?link|sphinxsidebar|toolbar)(?:$|[\s_-])/i
const DOUBTFUL_NAMES = /(?:^|[\s_-])(?:sidebar|related|share|social|aside)(?:$|[\s_-])/i
/** No telling name is longer, and to look through megabytes of classes takes long. */
const MOST_NAME_CHARS = 200

/** What part of a page a block holds, by its name, role, class and id; 0 if that says nothing. */
export function partOfPage(name: string, attributes: TagAttributes): number {
  if (ASIDES.has(name)) return IS_ASIDE
  if (name === 'main') return IS_MAIN
  if (name === 'html' || name === 'body') return 0
  const role = attributes.written(ROLE)
  if (role !== undefined && /^main$/i.test(role)) return IS_MAIN
  if (role !== undefined && ASIDE_ROLES.test(role)) return IS_ASIDE
  return partByName(attributes.written(CLASS)) || partByName(attributes.written(ID))
}

function partByName(value: string | undefined): number {
  if (value === undefined || value.length > MOST_NAME_CHARS) return 0
  if (ASIDE_NAMES.test(value)) return IS_ASIDE
  return DOUBTFUL_NAMES.test(value) ? MAY_BE_ASIDE : 0
}
