import { mixHash } from '#numeric/hash.ts'

/** What is known of a page before it was ever revisited. */
export interface PageKind {
  /** Sitemaps and feeds exist to tell of new pages: they begin as menus do, and are compared with each other only. */
  readonly form: 'page' | 'sitemap' | 'feed'
  /** Number of its site. */
  readonly site: number
  /** Links from the nearest seed. */
  readonly depth: number
  /** Pages that link to it. */
  readonly links: number
  /** Parts of its address between slashes. */
  readonly steps: number
  /** Number of its URL pattern. */
  readonly pattern: number
  /** Pages of its site that were fetched. */
  readonly sitePages: number
}

const FORMS: readonly PageKind['form'][] = ['page', 'sitemap', 'feed']
const MOST_LEVELS = 3
/** Sizes of sites, each twice as large as the one before; the last is of all larger ones too: a menu has room for so many. */
const SITE_SIZES = 15
/** By size of the site: of pages in menus, one click from where one begins or linked from every second page of the site. */
export const MENU_GROUPS: readonly number[] = bySize(9)
/** The same of sitemaps and feeds. */
export const LISTING_GROUPS: readonly number[] = bySize(10)
const CENTRAL_DEPTH = 1
const CENTRAL_SHARE = 0.5

/**
 * The cohorts of a page, the widest first: pages in menus of sites as large, pages of any site as deep and
 * as much linked (menus and breadcrumbs are linked from everywhere), its site, its depth there, as long a path,
 * as many links, the same URL pattern. Of a sitemap or feed: those of any site, of its site, and of the same
 * pattern.
 */
export function yieldGroups(page: PageKind): Uint32Array {
  const { form, site, depth, links, steps, pattern, sitePages } = page
  const siteSize = Math.min(doublings(sitePages), SITE_SIZES - 1)
  if (form !== 'page') {
    const kind = FORMS.indexOf(form)
    return Uint32Array.of(
      LISTING_GROUPS[siteSize],
      group(7, kind, 0),
      group(8, kind, site),
      group(6, kind, pattern),
    )
  }
  const level = Math.min(depth, MOST_LEVELS)
  const size = doublings(links)
  const isCentral = isInMenus(page)
  // What the many other pages of the site lead to says nothing about its menus.
  const part = group(0, site, isCentral ? 1 : 0)
  return Uint32Array.of(
    ...(isCentral ? [MENU_GROUPS[siteSize]] : []),
    group(1, level, size),
    group(2, part, 0),
    group(3, part, level),
    group(4, part, steps),
    group(5, part, size),
    group(6, 0, pattern),
  )
}

/** Whether a page is one click from where one begins, or linked from every second page of its site. */
function isInMenus({
  depth,
  links,
  sitePages,
}: Pick<PageKind, 'depth' | 'links' | 'sitePages'>): boolean {
  return depth <= CENTRAL_DEPTH || links > CENTRAL_SHARE * sitePages
}

/** Numbers that are about as large have the same: each is twice as large as the one before. */
function doublings(count: number): number {
  return Math.floor(Math.log2(1 + count))
}

/** The parts of an address between slashes, its scheme among them. */
export function stepsOf(url: string): number {
  return url.replace(/\/$/, '').split('/').length
}

function group(kind: number, first: number, second: number): number {
  return mixHash(mixHash(kind, first), second)
}

function bySize(kind: number): number[] {
  return Array.from({ length: SITE_SIZES }, (_, size) => group(kind, size, 0))
}
