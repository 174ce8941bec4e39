import { seededRandom } from '#numeric/random.ts'
import { type Changes, drawChanges } from './changes.ts'
import { addSpecialPages, type Copies, countSpecials } from './copies.ts'
import { makeExtras } from './extras.ts'
import { drawFriends } from './friends.ts'
import { type Domain, type Host, makeDomains, type Section } from './hosts.ts'
import { DEFAULT_KNOBS, type ModelWebKnobs, type ModelWebOptions } from './knobs.ts'
import { drawLifetimes } from './lifetimes.ts'
import { layOutPages, PageTable } from './pages.ts'
import { writeRobots } from './robots.ts'
import { makeTopics, type Topics } from './topics.ts'
import { makeVocabulary, type Vocabulary } from './vocabulary.ts'

/** What the parts of the skeleton are drawn from and into. */
export interface WebPlan {
  readonly weeks: number
  readonly knobs: ModelWebKnobs
  readonly vocabulary: Vocabulary
  readonly topics: Topics
  readonly domains: readonly Domain[]
  /** By number; mirrors last, when they are drawn. */
  readonly hosts: readonly Host[]
  readonly sections: Section[]
  readonly pages: PageTable
}

/** A link target that is no page of the web: off-site, or on-site where nothing is served. */
export interface ExtraTarget {
  readonly url: string
  readonly label: string
  readonly onSite: boolean
}

/** The skeleton: everything but links and text. Texts are made from it when they are wanted. */
export interface ModelWeb extends WebPlan {
  readonly seed: number
  readonly copies: Copies
  readonly changes: Changes
  /** Numbered after the pages: target `pages.count + i` is `extras[i]`. */
  readonly extras: readonly ExtraTarget[]
  /** First extra target of each host (its log-in page), by host number. */
  readonly loginOf: Uint32Array
  /** For hosts with a calendar: the target after its last month. */
  readonly afterCalendar: ReadonlyMap<Host, number>
  /** Extra targets that are off-site, for authors to link to. */
  readonly externals: readonly number[]
}

/** Everything but links and text; each part draws from a generator of its own. */
export function makeSkeleton(options: ModelWebOptions): ModelWeb {
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
  const drawn = { weeks, knobs, vocabulary, topics, domains, sections: [], pages }
  const plan: WebPlan = { ...drawn, hosts: ordinaryHosts }
  layOutPages(random.fork('pages'), plan)
  drawLifetimes(random.fork('lifetimes'), plan)
  const copies = addSpecialPages(random.fork('copies'), specials, plan)
  drawFriends(random.fork('friends'), plan)
  const whole: WebPlan = { ...drawn, hosts: [...ordinaryHosts, ...copies.mirrors] }
  writeRobots(random.fork('robots'), whole)
  const changes = drawChanges(random.fork('changes'), whole)
  const extras = makeExtras(random.fork('extras'), whole)
  return { ...whole, seed, copies, changes, ...extras }
}
