import type { AddressSigns } from '#learn/yields/address-signs.ts'
import type { HubSigns } from '#learn/yields/hub-signs.ts'
import type { DiscoverySite } from './discovery-site.ts'

/** What was counted of a site's pages, by page. */
interface CountedLinks {
  readonly inLinks: ArrayLike<number>
  readonly children: ArrayLike<number>
  readonly addresses: AddressSigns
}

/** The signs of some pages of a site, by place. */
export function pageSigns(
  site: DiscoverySite,
  pages: Uint32Array,
  { inLinks, children, addresses }: CountedLinks,
): HubSigns {
  const column = (of: ArrayLike<number>) => Uint32Array.from(pages, (page) => of[page])
  return {
    sites: column(site.siteOf),
    inLinks: column(inLinks),
    children: column(children),
    ...addresses.of(pages),
  }
}
