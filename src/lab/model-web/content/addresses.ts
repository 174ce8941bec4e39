import { calendarPath } from '../skeleton/extras.ts'
import type { Host } from '../skeleton/hosts.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { capitalised } from '../skeleton/names.ts'
import { PageKind } from '../skeleton/pages.ts'
import { titleWords } from './text.ts'

/** A page's URL. Mirrors use the paths of the host they copy. */
export function urlOf(web: ModelWeb, page: number): string {
  const host = web.hosts[web.pages.host[page]]
  const shown = host.mirrorOf ? web.pages.textOf[page] : page
  return `http://${host.name}${pathOf(web, shown, host.mirrorOf ?? host)}`
}

/** URL of any link target, page or not. */
export const targetUrl = (web: ModelWeb, target: number): string =>
  target < web.pages.count ? urlOf(web, target) : web.extras[target - web.pages.count].url

/** The part of a domain's name that was invented, as people would write it. */
export const siteName = (host: Host): string => capitalised(host.domain.name.split('-')[0])

function pathOf(web: ModelWeb, page: number, host: Host): string {
  const { pages, sections } = web
  const section = sections[pages.section[page]]
  switch (pages.kind[page]) {
    case PageKind.home:
      return '/'
    case PageKind.hub:
      return `/${section.slug}/`
    case PageKind.listing:
      return `/${section.slug}/page/${pages.ordinal[page] + 1}`
    case PageKind.calendar:
      return calendarPath(pages.ordinal[page])
    case PageKind.stub:
      return `/old/${pages.ordinal[page]}.html`
    case PageKind.print:
      return `/print${articlePath(web, pages.textOf[page], host)}`
    case PageKind.variant: {
      const path = articlePath(web, pages.textOf[page], host)
      return `${path}${path.includes('?') ? '&' : '?'}view=compact`
    }
    default:
      return articlePath(web, page, host)
  }
}

/** Hosts differ in how much an address tells: title words, words and date, or a bare number. */
function articlePath(web: ModelWeb, page: number, host: Host): string {
  const { pages, sections, vocabulary } = web
  const { slug } = sections[pages.section[page]]
  const number = pages.textOf[page] === page ? page - host.home : page
  if (host.urlStyle === 'numbers') return `/${slug}/${number}.html`
  if (host.urlStyle === 'query') return `/${slug}/view?id=${number}`
  const words = titleWords(web, page)
    .slice(0, 4)
    .map((word) => vocabulary.words[word])
  const name = `${words.join('-')}-${number}`
  return host.urlStyle === 'dated' ? `/${slug}/20${10 + (number % 15)}/${name}` : `/${slug}/${name}`
}
