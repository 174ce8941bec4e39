import { Frontier } from '#frontier/frontier.ts'
import { apply } from '#learn/apply.ts'
import type { Entry, PlanEntry, ToldEntry } from '#learn/entries/entry.ts'
import { knowledge } from '#learn/knowledge.ts'
import { keptGains } from '#learn/text-index/engine-gains.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { syntheticWorkload } from '#workload/synthetic.ts'
import type { StoredQuery } from '#workload/workload.ts'
import type {
  CycleRecord,
  FetcherMemory,
  JournalEntry,
  Repository,
  StoredCrawl,
  StoreReader,
} from './ports.ts'

/** A store that lasts as long as its process: the log is all it has, and reading back is folding it. */
export class MemoryStore implements Repository, StoreReader {
  readonly #entries: Entry[] = []
  readonly #settings = new Map<string, string>()
  #journal: JournalEntry[] = []
  /** Of the cycle under way. */
  #plan: PlanEntry | undefined
  /** What searchers ask; whoever fills the store says so. */
  asked: readonly StoredQuery[] = []

  /** Notes whatever changes what is known, such as the rules; it is not applied here. */
  append(entry: Entry): void {
    this.#entries.push(entry)
  }

  async beginRun(at: number): Promise<void> {
    this.append({ kind: 'run', at, queries: this.asked })
  }

  async keepTold(entry: ToldEntry): Promise<void> {
    this.append(entry)
  }

  async journal(entry: JournalEntry): Promise<undefined> {
    this.#journal.push(entry)
  }

  async boardLeft(): Promise<readonly number[]> {
    const plan = this.#entries.findLast((entry) => entry.kind === 'plan' && entry.budget > 0)
    return plan?.kind === 'plan' ? [...plan.urls, ...(plan.reserved ?? [])] : []
  }

  async beginCycle(plan: PlanEntry): Promise<void> {
    this.#plan = plan
  }

  async commit({ cycle, endedAt, plan, fetches, progress, judged }: CycleRecord): Promise<void> {
    if (plan) this.append(plan)
    for (const fetch of fetches) this.append({ kind: 'fetch', ...fetch })
    this.append({
      kind: 'end',
      cycle,
      at: endedAt,
      progress,
      ...(judged && { gains: keptGains(fetches) }),
    })
    this.#journal = this.#journal.filter((entry) => entry.cycle > cycle)
    this.#plan = undefined
  }

  async load(): Promise<StoredCrawl> {
    const known = knowledge({ frontier: new Frontier() })
    for (const entry of this.#entries) apply(entry, known)
    return { ...known, pending: this.#journal, plan: this.#plan, takenUp: 0 }
  }

  async *entries(): AsyncGenerator<Entry> {
    yield* this.#entries
  }

  async queries(): Promise<readonly StoredQuery[]> {
    return this.asked
  }

  /** From titles and anchors of the pages as they were last fetched, as a store on disk makes them. */
  async madeUpQueries(): Promise<readonly StoredQuery[]> {
    const pages = new Map<string, ParsedPage>()
    for (const entry of this.#entries)
      if (entry.kind === 'fetch' && entry.outcome.kind === 'page')
        pages.set(entry.outcome.url, entry.outcome.page)
    const linking = new Map<string, number>()
    const anchors = new Map<string, { links: number; targets: Set<string> }>()
    for (const { links } of pages.values()) {
      for (const target of new Set(links.map(({ url }) => url)))
        linking.set(target, (linking.get(target) ?? 0) + 1)
      for (const { url, anchor } of links) {
        const told = anchors.get(anchor) ?? { links: 0, targets: new Set() }
        anchors.set(anchor, told)
        told.links++
        told.targets.add(url)
      }
    }
    return syntheticWorkload(
      Array.from(pages, ([url, { title }]) => ({ title, inLinks: linking.get(url) ?? 0 })),
      Array.from(anchors, ([text, { links, targets }]) => ({ text, links, pages: targets.size })),
    )
  }

  async setting(key: string): Promise<string | undefined> {
    return this.#settings.get(key)
  }

  async settings(): Promise<ReadonlyMap<string, string>> {
    return this.#settings
  }

  async saveSettings(settings: Readonly<Record<string, string>>): Promise<void> {
    for (const [key, value] of Object.entries(settings)) this.#settings.set(key, value)
  }

  async lastPrice(): Promise<number | undefined> {
    const prices = this.#entries.flatMap((entry) =>
      entry.kind === 'plan' ? (entry.price ?? []) : [],
    )
    return prices.at(-1)
  }

  async fetcherMemory(): Promise<FetcherMemory> {
    return { hostStates: [], robotsRecords: [], hostTrusts: [] }
  }
}
