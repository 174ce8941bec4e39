import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CrawlState } from '#crawl/cycle.ts'
import { recoverCycle } from '#crawl/recover.ts'
import { parseScope, type Scope, scopeTest } from '#frontier/scope.ts'
import { UsageError } from '#parse/usage-error.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'

export const DEFAULT_DIR = 'forager-data'

/** A crawl directory, opened and brought back to where it was. */
export interface OpenCrawl {
  readonly store: CrawlStore
  readonly state: CrawlState
  readonly inScope: (url: string) => boolean
  /** Fetches that a killed run had finished and this one has just learnt from. */
  readonly recovered: number
}

export interface OpenOptions {
  /** Canonical URLs to begin with, added to those the directory knows. */
  readonly seeds: readonly string[]
  /** Undefined: as the directory says, or anywhere. */
  readonly scope?: Scope
  readonly now: number
}

/** Opens a directory for crawling; it is made when it does not exist. */
export async function openCrawl(dir: string, options: OpenOptions): Promise<OpenCrawl> {
  const store = await CrawlStore.open(dir)
  try {
    const seeds = [...new Set([...(await storedSeeds(store)), ...options.seeds])]
    if (seeds.length === 0)
      throw new UsageError(
        `nothing to crawl in ${dir} yet: name at least one seed URL, as in forager crawl https://example.org/`,
      )
    const scope = options.scope ?? parseScope((await store.setting('scope')) ?? 'anywhere')
    const { frontier, cycle, spent, pending } = await store.load()
    const state = { frontier, cycle, spent }
    const inScope = scopeTest(scope, seeds)
    // Seeds first, in the order they were first given: a killed first cycle has their numbers only.
    for (const seed of seeds) frontier.add(seed, 'seed', 0, options.now)
    await store.saveSetting('seeds', JSON.stringify(seeds))
    await store.saveSetting('scope', scope)
    await recoverCycle(state, pending, inScope, store)
    return { store, state, inScope, recovered: pending.length }
  } catch (error) {
    store.close()
    throw error
  }
}

/** Opens a directory that must hold a crawl already, as for `plan` and `status`. */
export async function openExistingCrawl(dir: string, now: number): Promise<OpenCrawl> {
  if (!existsSync(join(dir, 'state.duckdb')))
    throw new UsageError(
      `there is no crawl in ${dir}: start one with forager crawl https://example.org/ --dir ${dir}, or name another --dir`,
    )
  return openCrawl(dir, { seeds: [], now })
}

async function storedSeeds(store: CrawlStore): Promise<string[]> {
  return JSON.parse((await store.setting('seeds')) ?? '[]')
}
