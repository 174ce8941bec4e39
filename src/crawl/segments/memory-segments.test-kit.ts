import type { SegmentStore } from './segment-store.ts'

/** For the lab and for tests. */
export class MemorySegments implements SegmentStore {
  readonly #files = new Map<string, Uint8Array>()

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.#files.set(name, bytes)
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return this.#files.get(name)
  }

  async list(): Promise<readonly string[]> {
    return [...this.#files.keys()].toSorted()
  }

  async remove(name: string): Promise<void> {
    this.#files.delete(name)
  }

  async close(): Promise<void> {}
}
