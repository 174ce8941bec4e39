import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Every page of one host has links to some of these; none of them is there. */
export const BAD_PREFIX = '/missing/'
const BAD_LINKS_A_PAGE = 3
const BAD_PAGES = 60
/** No page links to it. */
export const SITEMAP_ONLY = '/only-the-sitemap-names-me.html'
export const SITEMAP = '/sitemap.xml'

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string | Buffer
}

/** What a host has beside the pages of its folder. */
export interface Extras {
  readonly hasSitemap: boolean
  readonly hasBadLinks: boolean
}

const TYPES: Record<string, string> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  txt: 'text/plain',
  pdf: 'application/pdf',
  png: 'image/png',
}

/** Serves a folder as a host would; pages are read when they are asked for, and kept nowhere. */
export function siteOf(host: string, folder: string, extras: Extras): (path: string) => Answer {
  const pages = globSync('**/*.html', { cwd: folder }).sort()
  return (path) => {
    if (path === '/robots.txt' && extras.hasSitemap)
      return text(`User-agent: *\nDisallow:\nSitemap: http://${host}${SITEMAP}\n`)
    if (path === SITEMAP && extras.hasSitemap) return sitemap(host, [...pages, SITEMAP_ONLY])
    if (path === SITEMAP_ONLY && extras.hasSitemap) return html('<title>Platypus</title>A platypus')
    const found = fileAt(folder, path) ?? (path === '/' ? html(listOf(pages)) : undefined)
    if (!found) return { status: 404, type: 'text/html', body: '<title>Not found</title>' }
    return extras.hasBadLinks && found.type === 'text/html' ? withBadLinks(found, path) : found
  }
}

function fileAt(folder: string, path: string): Answer | undefined {
  const name = path.endsWith('/') ? `${path}index.html` : path
  // The URL class has taken out all `..` before.
  const file = join(folder, decodeURIComponent(name))
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
  const ending = name.slice(name.lastIndexOf('.') + 1)
  return {
    status: 200,
    type: TYPES[ending] ?? 'application/octet-stream',
    body: readFileSync(file),
  }
}

function withBadLinks(page: Answer, path: string): Answer {
  const links = Array.from({ length: BAD_LINKS_A_PAGE }, (_, i) => {
    const bad = (path.length * 7 + i * 13) % BAD_PAGES
    return `<a href="${BAD_PREFIX}chapter-${bad}.html">more on chapter ${bad}</a>`
  })
  return { ...page, body: `${page.body}${links.join(' ')}` }
}

function listOf(pages: readonly string[]): string {
  const items = pages.map((page) => `<li><a href="/${encodeURI(page)}">${page}</a>`)
  return `<title>Contents</title><ul>${items.join('')}</ul>`
}

function sitemap(host: string, pages: readonly string[]): Answer {
  const entries = pages.map((page) => {
    const { href } = new URL(encodeURI(page).replace(/^\//, ''), `http://${host}/`)
    return `<url><loc>${href.replaceAll('&', '&amp;')}</loc></url>`
  })
  const body = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`
  return { status: 200, type: 'application/xml', body }
}

function text(body: string): Answer {
  return { status: 200, type: 'text/plain', body }
}

function html(body: string): Answer {
  return { status: 200, type: 'text/html; charset=utf-8', body }
}
