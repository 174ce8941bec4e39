import { type Random, WeightedSampler } from '#numeric/random.ts'
import type { Host, Section } from './hosts.ts'
import type { WebPlan } from './model-web.ts'
import { PageKind } from './pages.ts'

/** Says for every ordinary page when it appears and when it is gone. */
export function drawLifetimes(random: Random, web: WebPlan): void {
  drawDomainLifetimes(random.fork('domains'), web)
  drawBirths(random.fork('births'), web)
  drawDeaths(random.fork('deaths'), web)
  deleteSections(random.fork('mass deletions'), web)
  for (const section of web.hosts.flatMap((host) => host.sections)) openListings(web, section)
}

function drawDomainLifetimes(random: Random, web: WebPlan): void {
  const { knobs, weeks, domains } = web
  // The largest domains and the directory, which is last, are where crawls start: they stay.
  const stable = Math.ceil(domains.length * 0.03)
  domains.forEach((domain, rank) => {
    domain.end = weeks
    if (weeks === 1 || rank < stable || rank === domains.length - 1) return
    if (random.chance(knobs.newDomainShare)) domain.birth = 1 + random.below(weeks - 1)
    else if (random.chance(knobs.dyingDomainShare)) domain.end = 1 + random.below(weeks - 1)
  })
}

/** New pages: unequal over hosts, in bursts over weeks, at the newest end of busy sections. */
function drawBirths(random: Random, web: WebPlan): void {
  const { knobs, weeks, hosts, pages } = web
  const appetite = hosts.map((host) => host.archetype.births * Math.exp(0.7 * random.normal()))
  const articles = (host: Host) =>
    host.sections.reduce((sum, section) => sum + section.articles.length, 0)
  const expected = hosts.reduce((sum, host, i) => sum + appetite[i] * articles(host), 0)
  const wanted = pages.count * (1 - 1 / (1 + knobs.newPagesPerWeek * (weeks - 1)))
  hosts.forEach((host, i) => {
    const { domain } = host
    const share = Math.min(0.7, (appetite[i] * wanted) / expected)
    const activity = drawActivity(random, weeks, domain.birth + 1)
    pages.birth[host.home] = domain.birth
    for (const section of host.sections) {
      const late =
        weeks > domain.birth + 1 && host.sections.length > 1 && random.chance(knobs.newSectionShare)
      section.birth = late
        ? domain.birth + 1 + random.below(weeks - domain.birth - 1)
        : domain.birth
      if (section.hub !== host.home) pages.birth[section.hub] = section.birth
      const busy = Math.min(0.9, share * Math.exp(0.8 * random.normal() - 0.3))
      const fresh = activity ? Math.round(busy * section.articles.length - 0.5 + random.next()) : 0
      const births = Array.from({ length: fresh }, () =>
        Math.max(section.birth, activity ? activity.sample(random) : 0),
      ).sort((a, b) => a - b)
      const old = section.articles.length - fresh
      section.articles.forEach((page, place) => {
        pages.birth[page] = place < old ? section.birth : births[place - old]
        const unlisted = pages.birth[page] > 0 && random.chance(knobs.unlistedShare)
        pages.listedFrom[page] = pages.birth[page] + (unlisted ? 1 + random.below(2) : 0)
      })
    }
  })
}

/** Weeks of very unequal activity; none before `first`. */
function drawActivity(random: Random, weeks: number, first: number): WeightedSampler | undefined {
  const weights = Array.from({ length: weeks }, (_, week) =>
    week < first ? 0 : random.chance(0.25) ? 0.02 : Math.exp(random.normal()),
  )
  return first < weeks ? new WeightedSampler(weights) : undefined
}

function drawDeaths(random: Random, web: WebPlan): void {
  const { knobs, hosts, pages } = web
  for (const host of hosts) {
    const { domain } = host
    pages.end[host.home] = domain.end
    for (const section of host.sections) {
      section.end = domain.end
      section.birth = Math.min(section.birth, domain.end - 1)
      if (section.hub !== host.home) pages.end[section.hub] = domain.end
      for (const page of section.articles) {
        const chance = knobs.deathsPerWeek * host.archetype.deaths * (1.6 - pages.quality[page])
        const lived = pages.birth[page] + 1 + Math.floor(random.exponential(1 / chance))
        pages.end[page] = Math.max(pages.birth[page] + 1, Math.min(lived, domain.end))
        if (pages.end[page] - pages.birth[page] > 3 && random.chance(knobs.outageShare))
          pages.outage[page] =
            pages.birth[page] + 1 + random.below(pages.end[page] - pages.birth[page] - 2)
      }
    }
  }
  // A domain that dies takes with it what was to be born there later; one live week must remain.
  for (let page = 0; page < pages.count; page++)
    if (pages.birth[page] >= pages.end[page]) pages.birth[page] = pages.end[page] - 1
}

function deleteSections(random: Random, web: WebPlan): void {
  const { knobs, weeks, hosts, pages } = web
  if (weeks < 3) return
  const candidates = hosts
    .filter((host) => host.sections.length > 2)
    .flatMap((host) => host.sections.slice(1))
    .filter((section) => section.birth === 0 && section.articles.length >= 8)
  const deletions = Math.max(1, Math.round(pages.count / knobs.pagesPerMassDeletion))
  for (const section of random.shuffle(candidates).slice(0, deletions)) {
    const week = 2 + random.below(weeks - 2)
    section.end = Math.min(section.end, week)
    for (const page of [section.hub, ...section.articles]) {
      pages.birth[page] = Math.min(pages.birth[page], week - 1)
      pages.end[page] = Math.min(pages.end[page], week)
      pages.listedFrom[page] = Math.min(pages.listedFrom[page], week)
    }
  }
}

/** A further listing page is live while there is something for it to list; else it is an article. */
function openListings(web: WebPlan, section: Section): void {
  const { knobs, weeks, pages } = web
  if (section.listings.length === 0) return
  const listed = new Uint32Array(weeks)
  for (const page of section.articles)
    for (let week = pages.birth[page]; week < pages.end[page]; week++) listed[week]++
  const kept = section.listings.filter((page, place) => {
    const needed = (count: number) => count > (place + 1) * knobs.listingSize
    const first = listed.findIndex(needed)
    pages.birth[page] = first < 0 ? section.birth : first
    pages.end[page] = first < 0 ? section.end : listed.findLastIndex(needed) + 1
    if (first >= 0) return true
    pages.kind[page] = PageKind.article
    pages.ordinal[page] = section.articles.length
    section.articles.push(page)
    return false
  })
  section.listings.splice(0, section.listings.length, ...kept)
}
