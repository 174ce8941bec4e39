import type { ArchiveRecords, SiteRecord } from '#archive/format/format.ts'
import { SettingError } from '#errors/setting-error.ts'
import { seededRandom } from '#numeric/random.ts'
import { urlOf } from './addresses.ts'
import { dateOf } from './blocks.ts'
import { drawChanges } from './changes.ts'
import { addSpecialPages, countSpecials } from './copies.ts'
import { makeExtras } from './extras.ts'
import { drawFriends } from './friends.ts'
import { makeDomains } from './hosts.ts'
import { DEFAULT_KNOBS, type ModelWebOptions } from './knobs.ts'
import { drawLifetimes } from './lifetimes.ts'
import { placeLinks } from './links.ts'
import type { ModelWeb } from './model-web.ts'
import { layOutPages, PageTable } from './pages.ts'
import { ModelWebRecords } from './records.ts'
import { writeRobots } from './robots.ts'
import { makeTopics } from './topics.ts'
import { makeVocabulary } from './vocabulary.ts'
import { makeWorkload } from './workload.ts'

const FEWEST_PAGES = 500
const MOST_PAGES = 4_000_000
const MOST_WEEKS = 520
const SEEDS = 8

/**
 * A synthetic web with a clock, as an archive: the same records for the same options. The line
 * files are made while they are read, in any order and as often as wanted.
 */
export function generateModelWeb(options: ModelWebOptions): ArchiveRecords {
  const web = makeSkeleton(options)
  const links = placeLinks(seededRandom(options.seed).fork('links'), web)
  const { pages, versions, blocks, links: linkRecords } = new ModelWebRecords(web, links)
  const workload = makeWorkload(seededRandom(options.seed).fork('workload'), web)
  return { site: describeSite(web), pages, versions, blocks, links: linkRecords, workload }
}

/** Everything but links and text; each part draws from a generator of its own. */
export function makeSkeleton(options: ModelWebOptions): ModelWeb {
  mustBeWhole('pages', options.pages, FEWEST_PAGES, MOST_PAGES)
  mustBeWhole('weeks', options.weeks, 1, MOST_WEEKS)
  const { seed, weeks } = options
  const knobs = { ...DEFAULT_KNOBS, ...options }
  const random = seededRandom(seed)
  const vocabulary = makeVocabulary(random.fork('vocabulary'), options.pages)
  const topics = makeTopics(random.fork('topics'), knobs, options.pages, vocabulary)
  const specials = countSpecials(knobs, options.pages, weeks)
  const ordinary = options.pages - Object.values(specials).reduce((sum, count) => sum + count, 0)
  const domains = makeDomains(random.fork('domains'), knobs, topics, ordinary)
  const ordinaryHosts = domains.flatMap((domain) => domain.hosts)
  const pages = new PageTable(options.pages, weeks)
  const sections = layOutPages(random.fork('pages'), knobs, topics, vocabulary, domains, pages)
  drawLifetimes(random.fork('lifetimes'), knobs, weeks, domains, pages)
  const copies = addSpecialPages(
    random.fork('copies'),
    specials,
    weeks,
    ordinaryHosts,
    sections,
    pages,
  )
  drawFriends(random.fork('friends'), topics, weeks, domains)
  const hosts = [...ordinaryHosts, ...copies.mirrors]
  writeRobots(random.fork('robots'), knobs, hosts)
  const changes = drawChanges(random.fork('changes'), knobs, weeks, hosts, pages)
  const extras = makeExtras(random.fork('extras'), pages.count, hosts)
  return {
    seed,
    weeks,
    knobs,
    vocabulary,
    topics,
    domains,
    hosts,
    sections,
    pages,
    copies,
    changes,
    ...extras,
  }
}

function describeSite(web: ModelWeb): SiteRecord {
  const { pages, weeks, hosts } = web
  const live = new Uint32Array(weeks)
  for (let page = 0; page < pages.count; page++)
    for (let week = pages.birth[page]; week < pages.end[page]; week++)
      if (pages.isLive(page, week)) live[week]++
  const { seed, knobs } = web
  const start = seedDomains(web).map(({ hosts: [main] }) => urlOf(web, main.home))
  return {
    format: 'evolution/1',
    id: `model-web-${seed}`,
    name: `Model web, seed ${seed}`,
    kind: 'model',
    origin: start[0],
    start,
    source: { generator: 'forager lab generate', pages: pages.count, weeks, ...knobs },
    licence: 'Invented text, free of rights',
    snapshots: Array.from(live, (count, i) => ({ i, date: dateOf(i), live: count })),
    robots: Object.fromEntries(
      hosts.flatMap(({ name, robots }) => (robots ? [[name, robots]] : [])),
    ),
  }
}

/** The directory, and the largest honest domains that stay. */
function seedDomains({ domains, weeks }: ModelWeb): ModelWeb['domains'] {
  const lasting = domains
    .slice(0, -1)
    .filter(
      ({ archetype, birth, end }) => archetype.name !== 'spam' && birth === 0 && end === weeks,
    )
  return [domains[domains.length - 1], ...lasting.slice(0, SEEDS - 1)]
}

function mustBeWhole(setting: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new SettingError(
      setting,
      `{${setting}} must be a whole number from ${least} to ${most}, not ${value}`,
    )
}
