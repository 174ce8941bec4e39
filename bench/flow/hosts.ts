/** What hosts there are: how many of each kind. */
export interface Hosts {
  /** More pages than anybody will ask for. */
  readonly busy: number
  /** Six pages and no more. */
  readonly small: number
  /** As busy, but takes three seconds an answer. */
  readonly slow: number
  /** A home page that is well; all others fail, by a status or by hanging up. */
  readonly failing: number
  /** As busy, but wants to be left alone every now and then. */
  readonly resting: number
  /** Share one large web: a page has links to a hundred others, on all hosts. */
  readonly vast: number
  /** So many pages have the vast hosts together. */
  readonly vastPages: number
}

export const HOST_KINDS = ['busy', 'small', 'slow', 'failing', 'resting', 'vast'] as const
export type HostKind = (typeof HOST_KINDS)[number]

export const NO_HOSTS: Hosts = {
  ...{ busy: 0, small: 0, slow: 0, failing: 0, resting: 0 },
  ...{ vast: 0, vastPages: 0 },
}

/** How many new pages a page of a vast host tells of. */
export const VAST_LINKS = 100

/** Each is a registrable domain of its own. */
export function hostName(kind: HostKind, host: number): string {
  return `www.${kind}-${host}.test`
}

/** What a page says and links to. Pages are numbered by host, those of vast hosts all together. */
export function pageOf(kind: HostKind, host: number, page: number, hosts: Hosts): string {
  const links = targetsOf(kind, page, hosts).map((target) => {
    const on = kind === 'vast' ? `http://${hostName('vast', target % hosts.vast)}` : ''
    return `<a href="${on}/${target}">${wordsOf(target, host, 3)}</a>`
  })
  const title = wordsOf(page, host, 4)
  return `<!doctype html><title>${title}</title><p>${wordsOf(page, host, 200)}<p>${links.join('\n')}`
}

const MOST_LINKS = { busy: 10, small: 5, slow: 10, failing: 100, resting: 10, vast: VAST_LINKS }

function targetsOf(kind: HostKind, page: number, { vastPages }: Hosts): number[] {
  if ((kind === 'small' || kind === 'failing') && page > 0) return []
  const links = MOST_LINKS[kind]
  const first = kind === 'vast' ? placeOf(page) : page
  const targets = Array.from({ length: links }, (_, i) => first * links + i + 1)
  return kind === 'vast' ? targets.map((target) => target % vastPages) : targets
}

/** In whatever order pages of vast hosts are asked for, each tells of pages that no other has told of. */
const placeOf = placesInOrder()

function placesInOrder(): (page: number) => number {
  const places = new Map<number, number>()
  return (page) => {
    const place = places.get(page) ?? places.size
    places.set(page, place)
    return place
  }
}

/** Frequent words and rare ones, the same each time. */
function wordsOf(page: number, host: number, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const lot = ((page * 104_729 + host * 7_919 + i * i * 31) % 10_007) / 10_007
    return `w${Math.floor(lot * lot * lot * 20_000)}`
  }).join(' ')
}
