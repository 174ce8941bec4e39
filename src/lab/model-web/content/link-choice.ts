import type { Random } from '#numeric/random.ts'
import type { Domain, Section } from '../skeleton/hosts.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { relatedTopic, topicOf } from '../skeleton/topics.ts'

const TRIES = 6

/**
 * Chooses link targets the way authors do: what they find on their own site, what is good and on
 * topic as far as they can tell, what others already link to, and friends. It remembers earlier
 * choices, which is what makes popular pages more popular.
 */
export class LinkChoice {
  readonly #web: ModelWeb
  readonly #random: Random
  readonly #known: number[][] // pages of each topic that exist by now
  readonly #linked: number[][] // targets of earlier links, by the target's topic
  readonly #onHost: number[][] // articles linked to before from the same host
  readonly #homesLinked: number[] = []
  readonly #spam: number[] = []
  readonly #domainsOf: Domain[][] // by topic

  constructor(web: ModelWeb, random: Random) {
    this.#web = web
    this.#random = random
    this.#known = Array.from({ length: web.topics.count }, () => [])
    this.#linked = Array.from({ length: web.topics.count }, () => [])
    this.#onHost = web.hosts.map(() => [])
    this.#domainsOf = Array.from({ length: web.topics.count }, () => [])
    for (const domain of web.domains)
      if (domain.archetype.name !== 'spam') this.#domainsOf[domain.topic].push(domain)
  }

  /** From now on other authors may link to this page. */
  announce(page: number): void {
    const { pages, hosts } = this.#web
    this.#known[topicOf(pages.aspect[page])].push(page)
    if (hosts[pages.host[page]].archetype.name === 'spam') this.#spam.push(page)
  }

  /** A page of the same domain, or undefined when there is nothing to link to. */
  onSite(page: number, week: number): number | undefined {
    const random = this.#random
    const { pages, hosts, sections, knobs } = this.#web
    const host = hosts[pages.host[page]]
    const draw = random.next()
    if (draw > 0.9) {
      const other = random.pick(host.domain.hosts)
      if (draw > 0.95) return other.home
      return this.article(random.pick(other.sections), week, page)
    }
    if (draw > 0.8) return draw > 0.87 ? host.home : sections[pages.section[page]]?.hub
    const linked = this.#onHost[host.id]
    if (linked.length > 0 && random.chance(knobs.popularityShare))
      return this.#again(
        linked,
        this.#bestOf(1, page, week, () => random.pick(linked)),
      )
    const own = pages.section[page]
    const section = draw < 0.55 && own >= 0 ? sections[own] : random.pick(host.sections)
    return this.#again(linked, this.article(section, week, page))
  }

  /** An article of a section, rather a new one and rather a good one. */
  article(section: Section | undefined, week: number, source: number): number | undefined {
    if (!section) return undefined
    const { articles } = section
    return this.#bestOf(
      Math.min(2, this.#web.knobs.choices),
      source,
      week,
      () => articles[Math.floor((1 - this.#random.next() ** 1.4) * articles.length)],
    )
  }

  /** A target on another domain, or undefined when none was found. */
  offSite(page: number, week: number): number | undefined {
    const random = this.#random
    const { knobs, externals, hosts, pages } = this.#web
    const { domain } = hosts[pages.host[page]]
    if (random.chance(knobs.externalShare)) return random.pick(externals)
    if (domain.archetype.name === 'spam' && random.chance(0.7))
      return this.#bestOf(1, page, week, () => random.pick(this.#spam))
    const draw = random.next()
    if (draw < knobs.friendShare) return this.#friend(page, domain, week)
    if (draw < knobs.friendShare + knobs.homeShare) return this.#home(page, domain, week)
    return this.#topical(page, week)
  }

  #friend(page: number, domain: Domain, week: number): number | undefined {
    const random = this.#random
    const friends = domain.friends.filter(({ since }) => since <= week)
    if (friends.length === 0) return this.#topical(page, week)
    const host = random.pick(random.pick(friends).domain.hosts)
    if (random.chance(0.35)) return this.#remember(host.home)
    return this.#remember(this.article(random.pick(host.sections), week, page))
  }

  #home(page: number, domain: Domain, week: number): number | undefined {
    const { knobs, topics } = this.#web
    const random = this.#random
    const copied = this.#homesLinked.length > 0 && random.chance(knobs.popularityShare)
    const nearby = this.#domainsOf[relatedTopic(random, topics, domain.topic)]
    const target = copied
      ? this.#bestOf(1, page, week, () => random.pick(this.#homesLinked))
      : this.#bestOf(knobs.choices, page, week, () => {
          const some =
            nearby.length > 0 && random.chance(knobs.topicShare) ? nearby : this.#web.domains
          return random.pick(some).hosts[0].home
        })
    if (target !== undefined) this.#homesLinked.push(target)
    return target
  }

  #topical(page: number, week: number): number | undefined {
    const { knobs, topics, pages } = this.#web
    const random = this.#random
    const topic = random.chance(knobs.topicShare)
      ? topicOf(pages.aspect[page])
      : random.chance(0.5)
        ? relatedTopic(random, topics, topicOf(pages.aspect[page]))
        : topics.byPopularity.sample(random)
    const linked = this.#linked[topic]
    const copies = linked.length > 0 && random.chance(knobs.popularityShare)
    const source = copies ? linked : this.#known[topic]
    if (source.length === 0) return undefined
    const choices = copies ? 1 : knobs.choices
    return this.#remember(this.#bestOf(choices, page, week, () => random.pick(source)))
  }

  /** Notes a choice where later authors will copy from. */
  #again(linked: number[], target: number | undefined): number | undefined {
    if (target !== undefined) linked.push(target)
    return target
  }

  #remember(target: number | undefined): number | undefined {
    if (target !== undefined) this.#linked[topicOf(this.#web.pages.aspect[target])].push(target)
    return target
  }

  /** The best of a few candidates by perceived quality; only live ones, and never the source. */
  #bestOf(
    choices: number,
    source: number,
    week: number,
    candidate: () => number | undefined,
  ): number | undefined {
    const { pages, knobs } = this.#web
    let best: number | undefined
    let bestQuality = Number.NEGATIVE_INFINITY
    let found = 0
    for (let tries = 0; tries < TRIES + choices && found < choices; tries++) {
      const page = candidate()
      if (page === undefined || page === source || !pages.hasContent(page, week)) continue
      found++
      const perceived = pages.quality[page] + knobs.perceptionNoise * this.#random.normal()
      if (perceived > bestQuality) {
        best = page
        bestQuality = perceived
      }
    }
    return best
  }
}
