import { getDomain, getPublicSuffix, parse } from 'tldts'

/**
 * The domain somebody registered, and so answers for: `bbc.co.uk` for `news.bbc.co.uk:8080`. An
 * IP address, a single label and a public suffix are their own domain.
 *
 * Private suffixes count: `ann.github.io` and `bob.github.io` have different owners. So a link
 * between them is a vote from outside, and neither uses up the other's domain limit.
 */
export function registrableDomain(host: string): string {
  const name = withoutPort(host)
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false }) ?? name
}

/** The labels before the registry's suffix: `news.bbc` for `news.bbc.co.uk`; none for an IP address. */
export function labelsBeforeSuffix(host: string): string {
  const name = withoutPort(host)
  const suffix = getPublicSuffix(name, { extractHostname: false })
  if (suffix === null) return ''
  return suffix === name ? name : name.slice(0, -suffix.length - 1)
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '')
}

/** Whether anybody can register names below this one, as below `com`, `co.uk` and `github.io`. */
export function isPublicSuffix(name: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(name, {
    allowPrivateDomains: true,
    extractHostname: false,
  })
  return publicSuffix === name && (isIcann === true || isPrivate === true)
}
