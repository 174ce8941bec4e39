import type { Csr } from '#numeric/csr.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { StringTable } from '#numeric/string-table.ts'

/** The links of one page, as numbers; the arrays are of one length. */
export interface LinkRow {
  readonly targets: Uint32Array
  readonly anchors: Uint32Array
  readonly rels: Uint8Array
}

/**
 * The current out-links of every fetched page, with anchor texts. A page's links are one run of the
 * columns; replacing them appends a new run and leaves the old one as waste until compaction.
 */
export class LinkStore {
  readonly anchors = new StringTable()
  #targets = new GrowingColumn(Uint32Array)
  #anchorOf = new GrowingColumn(Uint32Array)
  #rels = new GrowingColumn(Uint8Array)
  readonly #starts = new GrowingColumn(Uint32Array)
  readonly #counts = new GrowingColumn(Uint32Array)
  #waste = 0

  /** Links held now, without the waste. */
  get size(): number {
    return this.#targets.length - this.#waste
  }

  rowOf(url: number): LinkRow {
    const start = url < this.#starts.length ? this.#starts.at(url) : 0
    const end = start + (url < this.#counts.length ? this.#counts.at(url) : 0)
    return {
      targets: this.#targets.view().subarray(start, end),
      anchors: this.#anchorOf.view().subarray(start, end),
      rels: this.#rels.view().subarray(start, end),
    }
  }

  replace(url: number, row: LinkRow): void {
    while (this.#starts.length <= url) {
      this.#starts.push(0)
      this.#counts.push(0)
    }
    this.#waste += this.#counts.at(url)
    this.#starts.set(url, this.#targets.length)
    this.#counts.set(url, row.targets.length)
    this.#targets.append(row.targets)
    this.#anchorOf.append(row.anchors)
    this.#rels.append(row.rels)
    if (this.#waste > 100_000 && this.#waste > this.size) this.#compact()
  }

  /** Distinct out-links without self-links, a row for each of `urlCount` URLs. */
  toCsr(urlCount: number): Csr {
    const targets = this.#targets.view()
    const offsets = new Uint32Array(urlCount + 1)
    const kept = new Uint32Array(this.size)
    const lastRow = new Uint32Array(urlCount) // row + 1 that last held this target
    let edges = 0
    for (let url = 0; url < urlCount; url++) {
      if (url < this.#counts.length) {
        const start = this.#starts.at(url)
        const end = start + this.#counts.at(url)
        for (let link = start; link < end; link++) {
          const target = targets[link]
          if (target === url || lastRow[target] === url + 1) continue
          lastRow[target] = url + 1
          kept[edges++] = target
        }
      }
      offsets[url + 1] = edges
    }
    return { offsets, targets: kept.slice(0, edges) }
  }

  #compact(): void {
    const targets = new GrowingColumn(Uint32Array, this.size)
    const anchors = new GrowingColumn(Uint32Array, this.size)
    const rels = new GrowingColumn(Uint8Array, this.size)
    for (let url = 0; url < this.#starts.length; url++) {
      const row = this.rowOf(url)
      this.#starts.set(url, targets.length)
      targets.append(row.targets)
      anchors.append(row.anchors)
      rels.append(row.rels)
    }
    this.#targets = targets
    this.#anchorOf = anchors
    this.#rels = rels
    this.#waste = 0
  }
}
