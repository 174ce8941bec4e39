import type { Changes } from './changes.ts'
import type { Copies } from './copies.ts'
import type { Domain, Host, Section } from './hosts.ts'
import type { ModelWebKnobs } from './knobs.ts'
import type { PageTable } from './pages.ts'
import type { Topics } from './topics.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A link target that is no page of the web: off-site, or on-site where nothing is served. */
export interface ExtraTarget {
  readonly url: string
  readonly label: string
  readonly onSite: boolean
}

/** The skeleton: everything but links and text. Texts are made from it when they are wanted. */
export interface ModelWeb {
  readonly seed: number
  readonly weeks: number
  readonly knobs: ModelWebKnobs
  readonly vocabulary: Vocabulary
  readonly topics: Topics
  readonly domains: readonly Domain[]
  /** By number; mirrors last. */
  readonly hosts: readonly Host[]
  readonly sections: readonly Section[]
  readonly pages: PageTable
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
