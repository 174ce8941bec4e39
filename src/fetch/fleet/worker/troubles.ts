import type { Leases } from '#crawl/leases/leases.ts'
import type { FleetWorkerOptions } from './fleet-worker-options.ts'

/** What a worker does with a database and a store, which may be away: the first failure is told of, and when it is well again. */
export class Troubles {
  readonly #options: Pick<FleetWorkerOptions, 'leases' | 'note'>
  readonly #with = new Set<'database' | 'store'>()

  constructor(options: Pick<FleetWorkerOptions, 'leases' | 'note'>) {
    this.#options = options
  }

  /** What fails is tried again another time: databases restart, disks are full, networks break. */
  async try<T>(what: 'database' | 'store', work: (leases: Leases) => Promise<T>) {
    try {
      const value = await work(this.#options.leases)
      if (this.#with.delete(what)) this.#options.note?.({ kind: 'well again', with: what })
      return value
    } catch (error) {
      if (!this.#with.has(what))
        this.#options.note?.({ kind: 'trouble', with: what, error: error as Error })
      this.#with.add(what)
      return undefined
    }
  }
}
