import { type Random, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import { ARCHETYPES, type Archetype, type ArchetypeName, EXTRA_HOSTS } from './archetypes.ts'
import type { ModelWebKnobs } from './knobs.ts'
import { asPublic, inventDomainNames, isPrivate } from './names.ts'
import { relatedTopic, type Topics } from './topics.ts'

export interface Domain {
  readonly id: number
  /** Registrable name. */
  readonly name: string
  readonly archetype: Archetype
  readonly topic: number
  readonly hosts: Host[]
  /** Week of its first page. */
  birth: number
  /** First week without it; the number of weeks if it stays. */
  end: number
  /** Domains whose home pages its own home page recommends, with the week since when. */
  readonly friends: { readonly domain: Domain; readonly since: number }[]
}

/** What changes on a host's pages outside their main text, and its weekly chance. */
interface Noise {
  readonly kind: 'none' | 'adverts' | 'date' | 'counter' | 'related'
  readonly rate: number
}

export interface Host {
  readonly id: number
  readonly name: string
  readonly domain: Domain
  readonly archetype: Archetype
  readonly topic: number
  /** Mean of its pages' latent quality on the logistic scale. */
  readonly quality: number
  readonly urlStyle: 'words' | 'dated' | 'numbers' | 'query'
  readonly noise: Noise
  /** Ordinary pages; mirrors have none of their own. */
  readonly size: number
  readonly mirrorOf?: Host
  home: number
  readonly sections: Section[]
  /** Months of the calendar trap, in order. */
  readonly calendar: number[]
  robots?: string
}

export interface Section {
  readonly id: number
  readonly host: Host
  readonly topic: number
  readonly slug: string
  birth: number
  end: number
  /** The page that lists its newest articles; the home page on the smallest hosts. */
  hub: number
  /** Oldest first. */
  readonly articles: number[]
  /** Second, third … page of the listing. */
  readonly listings: number[]
  /** robots.txt forbids it. */
  disallowed: boolean
}

/** Domains of very unequal size, the larger ones with several hosts, `pages` pages in all. */
export function makeDomains(
  random: Random,
  knobs: ModelWebKnobs,
  topics: Topics,
  pages: number,
): Domain[] {
  const wanted = Math.round(pages ** knobs.domainCountExponent)
  const count = Math.max(8, Math.min(wanted, Math.floor(pages / 6)))
  const directoryPages = Math.max(10, Math.round(knobs.directoryShare * pages))
  const sizes = [...domainSizes(random, knobs, count, pages - directoryPages), directoryPages]
  const names = inventDomainNames(random, sizes.length)
  let hosts = 0
  const domains = sizes.map((size, rank): Domain => {
    const archetype =
      ARCHETYPES[rank === count ? 'directory' : drawArchetype(random, knobs, rank / count)]
    const topic = topics.byPopularity.sample(random)
    const domain: Domain = {
      id: rank,
      name: size < knobs.pagesPerExtraHost ? names[rank] : asPublic(names[rank]),
      archetype,
      topic,
      hosts: [],
      birth: 0,
      end: 0,
      friends: [],
    }
    for (const [label, kind, share] of splitIntoHosts(random, knobs, domain, size)) {
      const itsTopic = label === '' ? topic : relatedTopic(random, topics, topic)
      domain.hosts.push(makeHost(random, knobs, hosts++, domain, label, kind, itsTopic, share))
    }
    return domain
  })
  return domains
}

/** A host that shows another host's pages under a domain of its own. */
export function makeMirror(id: number, name: string, original: Host): Host {
  const { archetype, topic, birth, end } = original.domain
  const domain: Domain = { id: -1, name, archetype, topic, hosts: [], birth, end, friends: [] }
  const { quality, urlStyle } = original
  const noise: Noise = { kind: 'none', rate: 0 }
  const host: Host = {
    id,
    name,
    domain,
    archetype,
    topic,
    quality,
    urlStyle,
    noise,
    size: 0,
    mirrorOf: original,
    home: 0,
    sections: [],
    calendar: [],
  }
  domain.hosts.push(host)
  return host
}

/** Sizes by Zipf's law with some scatter, at least 3 each, that add up to `pages`. */
function domainSizes(random: Random, knobs: ModelWebKnobs, count: number, pages: number): number[] {
  const weights = zipfWeights(count, knobs.domainSizeExponent).map(
    (weight) => weight * Math.exp(0.3 * random.normal()),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const sizes = Array.from(weights, (weight) =>
    Math.max(3, Math.floor((weight / total) * (pages - 3 * count)) + 3),
  )
  const missing = pages - sizes.reduce((sum, size) => sum + size, 0)
  sizes[0] += missing
  return sizes
}

function drawArchetype(random: Random, knobs: ModelWebKnobs, rankShare: number): ArchetypeName {
  if (rankShare > 0.04 && random.chance(knobs.spamDomainShare)) return 'spam'
  const names = Object.keys(ARCHETYPES) as ArchetypeName[]
  const size = rankShare < 0.15 ? 'large' : 'small'
  return names[new WeightedSampler(names.map((name) => ARCHETYPES[name][size])).sample(random)]
}

/** The main host first, then further ones with their share of the pages. */
function splitIntoHosts(
  random: Random,
  knobs: ModelWebKnobs,
  domain: Domain,
  size: number,
): [label: string, archetype: Archetype, pages: number][] {
  const { archetype } = domain
  const several = archetype.name !== 'spam' && archetype.name !== 'directory'
  const extra = several ? Math.min(5, Math.floor(size / knobs.pagesPerExtraHost)) : 0
  const labels = random.shuffle([...EXTRA_HOSTS]).slice(0, extra)
  let left = size
  const further = labels.map(([label, kind]): [string, Archetype, number] => {
    const share = Math.max(5, Math.floor((size / (extra + 2)) * (0.4 + 0.8 * random.next())))
    left -= share
    return [label, ARCHETYPES[kind], share]
  })
  return [['', archetype, left], ...further]
}

function makeHost(
  random: Random,
  knobs: ModelWebKnobs,
  id: number,
  domain: Domain,
  label: string,
  archetype: Archetype,
  topic: number,
  size: number,
): Host {
  const www = random.chance(0.7) && !isPrivate(domain.name) ? `www.${domain.name}` : domain.name
  const styles = ['words', 'words', 'words', 'dated', 'numbers', 'query'] as const
  return {
    id,
    name: label ? `${label}.${domain.name}` : www,
    domain,
    archetype,
    topic,
    quality: archetype.quality + 0.5 * random.normal(),
    urlStyle: random.pick(styles),
    noise: drawNoise(random, knobs.noisyHostShare * archetype.noise),
    size,
    home: 0,
    sections: [],
    calendar: [],
  }
}

function drawNoise(random: Random, chance: number): Noise {
  if (!random.chance(chance)) return { kind: 'none', rate: 0 }
  const kind = random.pick(['adverts', 'adverts', 'date', 'counter', 'related'] as const)
  return { kind, rate: Math.min(1, random.exponential(0.4) + 0.02) }
}
