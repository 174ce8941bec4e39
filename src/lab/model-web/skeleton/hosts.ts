import { type Random, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import {
  ARCHETYPE_NAMES,
  ARCHETYPES,
  type Archetype,
  type ArchetypeName,
  EXTRA_HOSTS,
} from './archetypes.ts'
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
  return sizes.map((size, rank): Domain => {
    const archetype =
      ARCHETYPES[rank === count ? 'directory' : drawArchetype(random, knobs, rank / count)]
    const topic = topics.byPopularity.sample(random)
    const name = size < knobs.pagesPerExtraHost ? names[rank] : asPublic(names[rank])
    const life = { birth: 0, end: 0 }
    const domain: Domain = { id: rank, name, archetype, topic, hosts: [], ...life, friends: [] }
    for (const part of splitIntoHosts(random, knobs, domain, size)) {
      const itsTopic = part.label === '' ? topic : relatedTopic(random, topics, topic)
      domain.hosts.push(makeHost(random, knobs, hosts++, domain, part, itsTopic))
    }
    return domain
  })
}

/** A host that shows another host's pages under a domain of its own. */
export function makeMirror(id: number, name: string, original: Host): Host {
  const { archetype, topic, birth, end } = original.domain
  const domain: Domain = { id: -1, name, archetype, topic, hosts: [], birth, end, friends: [] }
  const { quality, urlStyle } = original
  const character = { archetype, topic, quality, urlStyle, noise: QUIET, size: 0 }
  const host: Host = { id, name, domain, ...character, mirrorOf: original, ...noPages() }
  domain.hosts.push(host)
  return host
}

const QUIET: Noise = { kind: 'none', rate: 0 }
const noPages = () => ({ home: 0, sections: [], calendar: [] })

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
  const size = rankShare < 0.15 ? 'large' : 'small'
  const weights = ARCHETYPE_NAMES.map((name) => ARCHETYPES[name][size])
  return ARCHETYPE_NAMES[new WeightedSampler(weights).sample(random)]
}

/** A host to be: what it is called within its domain. */
interface HostPart {
  readonly label: string
  readonly archetype: Archetype
  readonly size: number
}

/** The main host first, then further ones with their share of the pages. */
function splitIntoHosts(
  random: Random,
  knobs: ModelWebKnobs,
  { archetype }: Domain,
  size: number,
): HostPart[] {
  const several = archetype.name !== 'spam' && archetype.name !== 'directory'
  const extra = several ? Math.min(5, Math.floor(size / knobs.pagesPerExtraHost)) : 0
  const further = random
    .shuffle([...EXTRA_HOSTS])
    .slice(0, extra)
    .map(([label, kind]) => {
      const share = Math.floor((size / (extra + 2)) * (0.4 + 0.8 * random.next()))
      return { label, archetype: ARCHETYPES[kind], size: Math.max(5, share) }
    })
  const left = further.reduce((rest, part) => rest - part.size, size)
  return [{ label: '', archetype, size: left }, ...further]
}

function makeHost(
  random: Random,
  knobs: ModelWebKnobs,
  id: number,
  domain: Domain,
  { label, archetype, size }: HostPart,
  topic: number,
): Host {
  const www = random.chance(0.7) && !isPrivate(domain.name) ? `www.${domain.name}` : domain.name
  const name = label ? `${label}.${domain.name}` : www
  const quality = archetype.quality + 0.5 * random.normal()
  const styles = ['words', 'words', 'words', 'dated', 'numbers', 'query'] as const
  const urlStyle = random.pick(styles)
  const noise = drawNoise(random, knobs.noisyHostShare * archetype.noise)
  const character = { archetype, topic, quality, urlStyle, noise, size }
  return { id, name, domain, ...character, ...noPages() }
}

function drawNoise(random: Random, chance: number): Noise {
  if (!random.chance(chance)) return QUIET
  const kind = random.pick(['adverts', 'adverts', 'date', 'counter', 'related'] as const)
  return { kind, rate: Math.min(1, random.exponential(0.4) + 0.02) }
}
