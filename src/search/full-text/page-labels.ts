import { GrowingColumn } from '#numeric/grow.ts'
import type { StringTable } from '#numeric/string-table.ts'
import { KNOWN_LANGUAGES, primaryLanguage } from '#parse/language/page-language.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { rowOfTerm, type Segment } from './segment.ts'

/** The term that pages of a language have; no word has a colon. */
export function languageLabel(language: string): string {
  return `lang:${language}`
}

/** The term that pages of a host have, and of the hosts below it. */
export function siteLabel(host: string): string {
  return `site:${host}`
}

/** A page belongs to its host, and to all above it up to the domain that somebody registered. */
export function siteLabels(url: string): string[] {
  const host = hostOf(url)
  if (host === '') return []
  const name = host.replace(/:\d+$/, '')
  const domain = registrableDomain(name)
  const hosts = name === host ? [host] : [host, name]
  for (let at = name; at.length > domain.length; ) {
    at = at.slice(at.indexOf('.') + 1)
    hosts.push(at)
  }
  return hosts.map(siteLabel)
}

/** Which language pages are in; their terms tell, so that it is known again when segments are read. */
export class LanguageLabels {
  /** By URL: the place of its language in KNOWN_LANGUAGES, plus 1; 0 if it is none of them. */
  readonly #numbers = new GrowingColumn(Uint8Array)
  #held = { version: -1, languages: [] as readonly string[] }

  /** Notes a page's language, and gives the terms that tell it. */
  labelsOf(url: number, tag: string | undefined): string[] {
    const language = tag === undefined ? undefined : primaryLanguage(tag)
    this.#numbers.put(url, language === undefined ? 0 : KNOWN_LANGUAGES.indexOf(language) + 1)
    if (tag === undefined || language === undefined) return []
    return tag === language ? [languageLabel(tag)] : [languageLabel(language), languageLabel(tag)]
  }

  of(url: number): string | undefined {
    return KNOWN_LANGUAGES[this.#numbers.get(url) - 1]
  }

  /** Those of some languages that any page is in, by a version of the index: of others, no word is on any page. */
  held(
    languages: readonly string[] | undefined,
    version: number,
    pagesWith: (label: string) => number,
  ): readonly string[] {
    if (this.#held.version !== version) {
      const isHeld = (language: string) => pagesWith(languageLabel(language)) > 0
      this.#held = { version, languages: languages?.filter(isHeld) ?? [] }
    }
    return this.#held.languages
  }

  /** Reads the languages of a segment's pages. */
  adopt(segment: Segment, terms: StringTable): void {
    for (const [number, language] of KNOWN_LANGUAGES.entries()) {
      const term = terms.find(languageLabel(language))
      const row = term === undefined ? undefined : rowOfTerm(segment, term)
      if (row === undefined) continue
      for (let posting = segment.offsets[row]; posting < segment.offsets[row + 1]; posting++)
        this.#numbers.put(segment.urls[segment.places[posting]], number + 1)
    }
  }
}
