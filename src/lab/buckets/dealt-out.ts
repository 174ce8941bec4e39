import type { Archive } from '#archive/format/archive.ts'
import { hash32 } from '#numeric/hash.ts'
import { canonicalUrl, hostOf } from '#parse/url/canonical-url.ts'

/**
 * A recorded web whose pages lie on so many registrable domains for each host it had, dealt out by chance: nearly all
 * links lead to other domains then, as nowhere on the real web. What is hard for buckets is hardest there.
 */
export function dealtOut(archive: Archive, domains: number): Archive {
  const { site } = archive
  const hosts = new Set<string>()
  for (let page = 0; page < archive.pageCount; page++) {
    const url = canonicalUrl(archive.urlOf(page))
    if (url !== undefined) hosts.add(hostOf(url))
  }
  const nameOf = (host: string, domain: number) => `${host.replaceAll('.', '-')}-${domain}.example`
  const rename = (recorded: string) => {
    const url = canonicalUrl(recorded)
    const host = url === undefined ? '' : hostOf(url)
    if (url === undefined || !hosts.has(host)) return recorded
    return recorded.replace(`://${host}`, `://${nameOf(host, hash32(url) % domains)}`)
  }
  const robots = Object.entries(site.robots ?? {}).flatMap(([host, rules]) =>
    Array.from({ length: domains }, (_, domain) => [nameOf(host, domain), rules] as const),
  )
  const start = site.start.map(rename)
  return archive.renamed(rename, { ...site, start, robots: Object.fromEntries(robots) })
}
