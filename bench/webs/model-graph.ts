import { seededRandom, WeightedSampler, zipfWeights } from '#numeric/random.ts'

export interface ModelGraph {
  /** One entry a link, in the order a crawl finds them: page by page. */
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  /** By URL. */
  readonly hosts: Uint32Array
  readonly domains: Uint32Array
  /** The URLs never fetched, ascending. */
  readonly candidates: Uint32Array
}

/** A stride far from any small multiple, so that popular URLs lie scattered over all numbers. */
const STRIDE = 1_000_003

/**
 * A crawl under way: 3 URLs in 10 are fetched and have links, the others are only known. In-degrees
 * follow a power law (exponent 2.3), hosts and domains are of very unequal size.
 */
export function modelGraph(urlCount: number, linkCount: number, seed: number): ModelGraph {
  const random = seededRandom(seed)
  const isFetched = Uint8Array.from({ length: urlCount }, () => (random.chance(0.3) ? 1 : 0))
  const candidates = new Uint32Array(urlCount)
  const fetched = new Uint32Array(urlCount)
  let candidateCount = 0
  let fetchedCount = 0
  for (let url = 0; url < urlCount; url++) {
    if (isFetched[url] === 1) fetched[fetchedCount++] = url
    else candidates[candidateCount++] = url
  }
  const sources = new Uint32Array(linkCount)
  const targets = new Uint32Array(linkCount)
  const linksAPage = linkCount / Math.max(1, fetchedCount)
  for (let link = 0, page = 0; link < linkCount; page++) {
    const end = Math.min(linkCount, link + 1 + Math.floor(random.exponential(linksAPage - 0.5)))
    for (; link < end; link++) {
      sources[link] = fetched[page % fetchedCount]
      const u = random.next()
      targets[link] = (Math.floor(u * u * u * u * urlCount) * STRIDE) % urlCount
    }
  }
  const { hosts, domains } = modelSites(urlCount, seed)
  return { sources, targets, hosts, domains, candidates: candidates.slice(0, candidateCount) }
}

/** A host for each URL and a domain for each host: 25 URLs a host and 2 hosts a domain on average. */
function modelSites(urlCount: number, seed: number): { hosts: Uint32Array; domains: Uint32Array } {
  const random = seededRandom(seed).fork('sites')
  const hostCount = Math.ceil(urlCount / 25)
  const domainCount = Math.ceil(hostCount / 2)
  const hostSizes = new WeightedSampler(zipfWeights(hostCount, 0.8))
  const domainSizes = new WeightedSampler(zipfWeights(domainCount, 0.8))
  const domainOfHost = Uint32Array.from({ length: hostCount }, (_, host) =>
    host < domainCount ? host : domainSizes.sample(random),
  )
  const hosts = new Uint32Array(urlCount)
  for (let url = 0; url < urlCount; url++) hosts[url] = hostSizes.sample(random)
  return { hosts, domains: hosts.map((host) => domainOfHost[host]) }
}
