import {
  type Directives,
  mergeDirectives,
  NO_DIRECTIVES,
  readMetaDirectives,
} from '../page/directives.ts'
import { type DeclaredRelation, relatedLink, relWords } from '../page/link-relation.ts'
import type { ParsedPage } from '../page/page.ts'
import { detached } from '../text/detached.ts'
import { canonicalUrl, MAX_BASE_CHARS, MAX_URL_CHARS, urlResolver } from '../url/canonical-url.ts'

/** More elements than this are an attack, not a page's directives. */
const MAX_ROBOTS_ELEMENTS = 100
/** A slower refresh is a page that renews itself, or a link for the patient. */
const MAX_REFRESH_SECONDS = 10
/** No address is longer; to look for one in megabytes of spaces takes seconds. */
const MAX_REFRESH_CHARS = 2 * MAX_URL_CHARS
const REFRESH =
  /^\s*(\d+)(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is

const MAX_LANGUAGE_CHARS = 100
const LANGUAGE = /^\s*[a-z]{2,8}(?:[-_][a-z0-9]{1,8}){0,5}\s*$/i

type Resolve = (href: string) => string | undefined
type Declared = Omit<ParsedPage, 'form' | 'title' | 'text' | 'links'>

/** What a page says of itself in `<base>`, `<link>`, `<meta>` and `<html lang>`. */
export class Declarations {
  readonly #agentToken: string
  #base: string | undefined
  #canonical: string | undefined
  #language: string | undefined
  #refresh: string | undefined
  #directives: Directives = NO_DIRECTIVES
  #robotsElements = 0

  /** `agentToken` is the name under which a page may address us in a meta element. */
  constructor(agentToken: string) {
    this.#agentToken = agentToken.toLowerCase()
  }

  readBase(href: string | undefined): void {
    this.#base ??= href
  }

  readLanguage(lang: string | undefined): void {
    if (lang !== undefined) this.#language ??= languageTag(lang)
  }

  /**
   * Notes a canonical address and gives the REL_ bits of what else the element names, if that is a
   * page. Only the head may say what is canonical: the body may hold what visitors wrote.
   */
  readLink(
    { rel, type, hreflang }: Partial<DeclaredRelation>,
    href: string,
    inHead: boolean,
  ): number | undefined {
    if (rel === undefined) return undefined
    if (inHead && relWords(rel).includes('canonical')) this.#canonical ??= href
    return relatedLink({ rel, type, hreflang })
  }

  /** Directives for every crawler and those for us by name count alike: the stricter holds. */
  readRobots(name: string, content: string): void {
    const agent = name.trim().toLowerCase()
    if (agent !== 'robots' && agent !== this.#agentToken) return
    if (this.#robotsElements++ >= MAX_ROBOTS_ELEMENTS) return
    this.#directives = mergeDirectives(this.#directives, readMetaDirectives(content))
  }

  /** Notes a refresh that is as good as a redirect; gives the address of a slower one. */
  readRefresh(content: string): string | undefined {
    if (this.#refresh || content.length > MAX_REFRESH_CHARS) return undefined
    const [, seconds, ...hrefs] = REFRESH.exec(content) ?? []
    const href = hrefs.find((found) => found !== undefined)?.trim()
    if (seconds === undefined || !href) return undefined
    if (Number(seconds) > MAX_REFRESH_SECONDS) return href
    this.#refresh = href
    return undefined
  }

  /** What a link of the page at `url` leads to, under the page's base. */
  resolver(url: string): Resolve {
    const said = this.#base ?? ''
    if (said.length > MAX_BASE_CHARS) return urlResolver(said) // counts as none
    const base = (said !== '' && URL.parse(said, url)?.href) || url
    return urlResolver(/^https?:/.test(base) ? base : url)
  }

  declared(url: string, resolve: Resolve): Declared {
    const canonical = this.#canonical === undefined ? undefined : resolve(this.#canonical)
    const target = this.#refresh && resolve(this.#refresh)
    const refreshTo = target === canonicalUrl(url) ? undefined : target // a page that renews itself
    const { noindex, nofollow, noarchive, nosnippet, unavailableAfter } = this.#directives
    return {
      ...(canonical !== undefined && { canonical: detached(canonical) }),
      ...(this.#language !== undefined && { language: detached(this.#language) }),
      noindex,
      nofollow,
      ...(noarchive && { noarchive }),
      ...(nosnippet && { nosnippet }),
      ...(unavailableAfter !== undefined && { unavailableAfter }),
      ...(refreshTo !== undefined && { refreshTo: detached(refreshTo) }),
    }
  }
}

function languageTag(lang: string): string | undefined {
  if (lang.length > MAX_LANGUAGE_CHARS || !LANGUAGE.test(lang)) return undefined
  return lang.trim().toLowerCase().replaceAll('_', '-')
}
