import { MAX_URL_CHARS } from './canonical-url.ts'

/**
 * The class of a canonical URL: the same for all pages of one folder and kind. It is the path
 * before the last step, with `#` for numbers, the ending of the last step (`.html`, `/`), and
 * the names of the query's parameters. Coarser than `urlPattern`, which tells single pages apart
 * by their names.
 */
export function urlClass(address: string): string {
  const url = address.slice(0, MAX_URL_CHARS)
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const isFolder = path.endsWith('/')
  const end = isFolder ? path.length - 1 : path.length
  const slash = path.lastIndexOf('/', end - 1)
  // A site's first page is a class of its own.
  if (slash < 0 || path[slash - 1] === '/') return isFolder ? path : `${path}/`
  const dot = path.lastIndexOf('.', end)
  const ending = isFolder ? '/' : dot > slash ? path.slice(dot, end) : ''
  const root = path.indexOf('/', path.indexOf('//') + 2)
  const folder = path.slice(root, slash).replace(/\d+/g, '#')
  return `${path.slice(0, root)}${folder}/*${ending}${mark < 0 ? '' : `?${namesOf(url.slice(mark + 1))}`}`
}

function namesOf(query: string): string {
  return query
    .split('&')
    .map((parameter) => parameter.replace(/=.*$/s, ''))
    .join('&')
}
