import { canonicalUrl } from '#parse/url/canonical-url.ts'

/** Files that a server sends for their folder, the one it prefers first. */
const FOLDER_FILES = ['index.html', 'index.htm', 'index']
const PAGE_FILE = /\.html?$/i
const FOLDER_FILE = /(^|\/)index(?:\.html?)?$/
/** All else in a file's name would mean something in a URL, or has to be written as its bytes. */
const NEEDS_ESCAPE = /[^\w.~!$&'()*+,=:@/-]/g

/** Whether a file of a published site is a page by its name. */
export function isPagePath(path: string): boolean {
  return PAGE_FILE.test(path) || FOLDER_FILE.test(path)
}

/** The address of a page below `base`, which ends in a slash; a path has one character a byte. */
export function urlOfPath(base: string, path: string): string | undefined {
  const escaped = path
    .replace(FOLDER_FILE, '$1')
    .replace(NEEDS_ESCAPE, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return canonicalUrl(base + escaped)
}

/** The files that a server would look for at the address of a path, best first. */
export function rivalsOf(path: string): readonly string[] {
  if (!FOLDER_FILE.test(path)) return [path]
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return FOLDER_FILES.map((file) => folder + file)
}

/**
 * The address under which we know the page that a static server would send for a URL of its site:
 * that without `index.html`, `/about/` or `/about.html` for `/about`, whatever the query, and by the
 * site's own scheme. Other URLs stay as they are.
 */
export function servedUrl(base: string, url: string, isPage: (url: string) => boolean): string {
  if (isPage(url)) return url
  const own = withSchemeOf(base, url)
  if (!own.startsWith(base)) return url
  const query = own.indexOf('?')
  const plain = query < 0 ? own : own.slice(0, query)
  const names = [plain, plain.replace(FOLDER_FILE, '$1'), `${plain}/`, `${plain}.html`]
  return names.find(isPage) ?? url
}

function withSchemeOf(base: string, url: string): string {
  return url.replace(/^https?:/, base.slice(0, base.indexOf(':') + 1))
}

/** The site's address as its CNAME file names it, if that holds a host name. */
export function addressOfCname(text: string): string | undefined {
  const [host = ''] = text.trim().split(/\s+/)
  if (!/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u.test(host)) return undefined
  return canonicalUrl(`https://${host}/`)
}
