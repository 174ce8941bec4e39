import type { ArchiveRecords, SiteRecord } from '#archive/format/format.ts'
import { SettingError } from '#errors/setting-error.ts'
import { seededRandom } from '#numeric/random.ts'
import { urlOf } from './content/addresses.ts'
import { dateOf } from './content/blocks.ts'
import { placeLinks } from './content/links.ts'
import { modelWebLines } from './content/records.ts'
import { makeWorkload } from './demand/workload.ts'
import type { ModelWebOptions } from './skeleton/knobs.ts'
import { type ModelWeb, makeSkeleton } from './skeleton/model-web.ts'

const FEWEST_PAGES = 500
const MOST_PAGES = 4_000_000
const MOST_WEEKS = 520
const SEEDS = 8

/**
 * A synthetic web with a clock, as an archive: the same records for the same options. The line
 * files are made while they are read, in any order and as often as wanted.
 */
export function generateModelWeb(options: ModelWebOptions): ArchiveRecords {
  mustBeWhole('pages', options.pages, FEWEST_PAGES, MOST_PAGES)
  mustBeWhole('weeks', options.weeks, 1, MOST_WEEKS)
  const web = makeSkeleton(options)
  const links = placeLinks(seededRandom(options.seed).fork('links'), web)
  const workload = makeWorkload(seededRandom(options.seed).fork('workload'), web)
  return { site: describeSite(web), ...modelWebLines(web, links), workload }
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
