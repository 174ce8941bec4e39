import { shortNumber } from '#lab/report/axes.ts'
import { ageText, momentText } from '../../../text/age.ts'
import { type Html, html, linkable, readable } from '../../html.ts'

/** Whole numbers with their thousands apart. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** A quantity with three significant digits. */
export function amount(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.0005) return value.toExponential(1)
  return shortNumber(Number(value.toPrecision(3)))
}

export function percent(share: number): string {
  const value = 100 * share
  return `${value >= 10 || value === 0 ? value.toFixed(0) : value.toPrecision(2)} %`
}

/** How long ago, with the moment itself for whoever points at it; "in 5 minutes" for what is to come. */
export function when(at: number, now: number): Html {
  const words = at > now + 1 ? `in ${spanText(at - now)}` : ageText(at, now)
  return html`<time datetime="${new Date(at * 1000).toISOString()}" title="${momentText(at)}">${words}</time>`
}

export function spanText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

const LONGEST = 90

/** A URL that leads to what the crawl knows of it. */
export function urlLink(url: string): Html {
  const { host = '', pathname = '', search = '' } = URL.parse(url) ?? {}
  const path = host === '' ? url : readable(`${pathname}${search}`)
  const short = path.length > LONGEST ? `${path.slice(0, LONGEST)}…` : path
  return html`<a class="url" href="${pathTo('page', { url })}" title="${url}"><bdi class="host">${host}</bdi><bdi>${short}</bdi></a>`
}

/** A link to the page itself, away from here. */
export function awayLink(url: string): Html | false {
  const target = linkable(url)
  return target !== undefined && html`<a href="${target}" rel="noreferrer noopener">Open it</a>`
}

export function queryLink(query: string): Html {
  return html`<a href="${pathTo('query', { q: query })}" dir="auto">${query}</a>`
}

export function hostLink(host: string): Html {
  return html`<a href="${pathTo('host', { name: host })}"><bdi>${host}</bdi></a>`
}

/** A page of the control room, by its name and parameters; those that are empty are left out. */
export function pathTo(
  page: string,
  parameters: Readonly<Record<string, string | number>> = {},
): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== '') given.set(name, String(value))
  const query = given.toString()
  return `/control${page === '' ? '' : `/${page}`}${query === '' ? '' : `?${query}`}`
}
