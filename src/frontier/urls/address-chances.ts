import { GrowingColumn } from '#numeric/grow.ts'
import { hash32, mixHash } from '#numeric/hash.ts'
import type { UrlTable } from './url-table.ts'

/** What a wider folder says weighs as much as one address tried. */
const TRUST = 1
/** Effective sample size of a folder: what was found lately counts most, so that it may recover. */
const MEMORY = 16
/** The same of the web as a whole, whose parts are hosts; and its prior. */
const WEB = 0
const WEB_MEMORY = 1024
const FIRST_FOUND = 9
const FIRST_MISSING = 1
/** Effective sample size of first contacts with hosts. */
const FIRST_CONTACTS_MEMORY = 64
/** By host: whether it was tried, and whether anything was missing there. */
const [UNTRIED, FOUND, MISSING] = [0, 1, 2]
/** Deeper folders count as one. */
const MAX_STEPS = 16

/** What became of hosts, all of them counting the same: where something was found or missing, and what came first. */
export interface HostTally {
  readonly found: number
  readonly missing: number
  readonly firstFound: number
  readonly firstMissing: number
}

export const NO_HOSTS: HostTally = { found: 0, missing: 0, firstFound: 0, firstMissing: 0 }

/** What became of addresses under a prefix. */
export interface AddressEvidence {
  /** How likely the address leads to a page. */
  readonly chance: number
  /** The widest prefix under which nothing was found; its own folder if something was. None for a host never asked. */
  readonly prefix?: string
  readonly found: number
  readonly missing: number
}

/**
 * How likely addresses lead to pages, folder by folder: a Beta posterior whose prior is what the wider folder says,
 * up to the host and the web. A folder counts once in the wider one, however many of its addresses were tried, so
 * that one bad folder does not speak for all; and a folder is never judged by its own evidence twice.
 */
export class AddressChances {
  readonly #urls: UrlTable
  /** By URL: its folder; 0 until somebody asks. */
  readonly #folders = new GrowingColumn(Uint32Array)
  readonly #numbers = new Map<number, number>()
  /** By folder: the wider one, and its parts where something was found or missing, the latest counting most. */
  readonly #parents = new GrowingColumn(Uint32Array)
  readonly #found = new GrowingColumn(Float64Array)
  readonly #missing = new GrowingColumn(Float64Array)
  /** By folder: all addresses under it that were tried. */
  readonly #allFound = new GrowingColumn(Uint32Array)
  readonly #allMissing = new GrowingColumn(Uint32Array)
  readonly #hosts = new GrowingColumn(Uint8Array)
  #tally = NO_HOSTS
  /** What became of hosts of the whole web, where those here are only some. */
  #whole: HostTally | undefined
  /** First contacts with hosts, the latest counting most, and all of them. */
  readonly #firstContacts = { found: 0, missing: 0, allFound: 0, allMissing: 0 }

  constructor(urls: UrlTable) {
    this.#urls = urls
    this.#begin(WEB)
    this.#found.set(WEB, FIRST_FOUND)
    this.#missing.set(WEB, FIRST_MISSING)
  }

  /** What became of the hosts here. */
  get tally(): HostTally {
    const { allFound: firstFound, allMissing: firstMissing } = this.#firstContacts
    return { ...this.#tally, firstFound, firstMissing }
  }

  /** From now on hosts here are judged by what became of those of the whole web. */
  judgeBy(whole: HostTally): void {
    this.#whole = whole
  }

  /** Takes in whether the first fetch of a URL showed that there is something. */
  record(url: number, isFound: boolean): void {
    this.#noteHost(this.#urls.hostNumberOf(url), isFound)
    const all = isFound ? this.#allFound : this.#allMissing
    let isNews = true
    for (let folder = this.#folderOf(url); ; folder = this.#parents.at(folder)) {
      if (isNews) this.#count(folder, isFound)
      isNews &&= all.at(folder) === 0
      all.add(folder, 1)
      if (folder === WEB) return
    }
  }

  /**
   * By place: how likely each of the URLs leads to a page. On hosts never asked it is as likely as first contacts with
   * others did; 1 on hosts where nothing was missing, undefined if that is all.
   */
  of(urls: Uint32Array): Float64Array | undefined {
    const stranger = this.#chanceOfStrangers()
    const known = this.#hosts.view()
    if (stranger === 1 && !known.includes(MISSING)) return undefined
    const hosts = this.#urls.hosts()
    const ofFolder = new Float64Array(this.#parents.length + urls.length) // 0 until it is worked out
    const chances = new Float64Array(urls.length).fill(1)
    for (let i = 0; i < urls.length; i++) {
      const host = hosts[urls[i]]
      const state = host < known.length ? known[host] : UNTRIED
      if (state === UNTRIED) chances[i] = stranger
      if (state !== MISSING) continue
      const folder = this.#folderOf(urls[i])
      chances[i] = ofFolder[folder] || this.#chanceIn(folder)
      ofFolder[folder] = chances[i]
    }
    return chances
  }

  /** What speaks for the chance of a URL; undefined where nothing was missing. */
  evidenceFor(url: number): AddressEvidence | undefined {
    const chance = this.of(Uint32Array.of(url))?.[0] ?? 1
    if (chance === 1) return undefined
    if (this.#isUntried(this.#urls.hostNumberOf(url))) {
      const { firstFound: found, firstMissing: missing } = this.#whole ?? this.tally
      return { chance, found, missing }
    }
    const path = this.#pathTo(this.#folderOf(url))
    const isBad = (folder: number) =>
      this.#allMissing.at(folder) > 0 && this.#allFound.at(folder) === 0
    const bad = path.findIndex(isBad)
    const steps = bad < 0 ? path.length - 1 : bad
    return {
      chance,
      prefix: prefixOf(this.#urls.urlOf(url), steps),
      found: this.#allFound.at(path[steps]),
      missing: this.#allMissing.at(path[steps]),
    }
  }

  #noteHost(host: number, isFound: boolean): void {
    const contacts = this.#firstContacts
    if (this.#isUntried(host)) {
      const kept = 1 - 1 / FIRST_CONTACTS_MEMORY
      contacts.found = contacts.found * kept + (isFound ? 1 : 0)
      contacts.missing = contacts.missing * kept + (isFound ? 0 : 1)
      if (isFound) contacts.allFound++
      else contacts.allMissing++
      this.#hosts.put(host, FOUND)
    }
    if (!isFound) this.#hosts.put(host, MISSING)
  }

  #isUntried(host: number): boolean {
    return host >= this.#hosts.length || this.#hosts.at(host) === UNTRIED
  }

  #chanceOfStrangers(): number {
    const { found, missing } = this.#whole
      ? remembered(this.#whole.firstFound, this.#whole.firstMissing, FIRST_CONTACTS_MEMORY)
      : this.#firstContacts
    return (found + FIRST_FOUND) / (found + missing + FIRST_FOUND)
  }

  #count(folder: number, isFound: boolean): void {
    if (folder === WEB) {
      const { found, missing } = this.#tally
      this.#tally = isFound
        ? { ...this.#tally, found: found + 1 }
        : { ...this.#tally, missing: missing + 1 }
    }
    const kept = 1 - 1 / (folder === WEB ? WEB_MEMORY : MEMORY)
    this.#found.set(folder, this.#found.at(folder) * kept + (isFound ? 1 : 0))
    this.#missing.set(folder, this.#missing.at(folder) * kept + (isFound ? 0 : 1))
  }

  #chanceIn(folder: number): number {
    const [found, missing] = [this.#found.at(folder), this.#missing.at(folder)]
    return (found + TRUST * this.#chanceBeside(folder)) / (found + missing + TRUST)
  }

  /** The chance in the wider folder, by all of it but this one. */
  #chanceBeside(folder: number): number {
    const parent = this.#parents.at(folder)
    const ofOthers = (counts: number, own: number) => Math.max(0, counts - (own > 0 ? 1 : 0))
    const all =
      parent === WEB && this.#whole
        ? remembered(
            FIRST_FOUND + this.#whole.found,
            FIRST_MISSING + this.#whole.missing,
            WEB_MEMORY,
          )
        : { found: this.#found.at(parent), missing: this.#missing.at(parent) }
    const found = ofOthers(all.found, this.#allFound.at(folder))
    const missing = ofOthers(all.missing, this.#allMissing.at(folder))
    if (parent === WEB) return (found + 1) / (found + missing + 1)
    return (found + TRUST * this.#chanceBeside(parent)) / (found + missing + TRUST)
  }

  /** From the host down to the folder. */
  #pathTo(folder: number): number[] {
    const path: number[] = []
    for (let at = folder; at !== WEB; at = this.#parents.at(at)) path.unshift(at)
    return path
  }

  #folderOf(url: number): number {
    this.#folders.lengthen(this.#urls.size)
    const known = this.#folders.view()[url]
    if (known > 0) return known
    const folder = this.#find(url)
    this.#folders.set(url, folder)
    return folder
  }

  #find(url: number): number {
    let folder = this.#partOf(WEB, this.#urls.hostNumberOf(url))
    for (const step of stepsOf(this.#urls.urlOf(url))) folder = this.#partOf(folder, hash32(step))
    return folder
  }

  #partOf(parent: number, part: number): number {
    const key = mixHash(parent, part) | 0 // small integers are found faster
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const folder = this.#begin(parent)
    this.#numbers.set(key, folder)
    return folder
  }

  #begin(parent: number): number {
    for (const column of [this.#found, this.#missing, this.#allFound, this.#allMissing])
      column.push(0)
    return this.#parents.push(parent)
  }
}

/** Counts in the same proportion, of so many at most. */
function remembered(found: number, missing: number, most: number) {
  const kept = Math.min(1, most / (found + missing))
  return found + missing > 0 ? { found: found * kept, missing: missing * kept } : { found, missing }
}

/** The folders of an address, widest first; a script that answers queries is one too. */
function stepsOf(address: string): string[] {
  const mark = address.indexOf('?')
  const path = mark < 0 ? address : address.slice(0, mark)
  const steps = path.slice(path.indexOf('//') + 2).split('/')
  if (steps.at(-1) === '') steps.pop()
  const last = steps.length > 1 ? steps.pop() : undefined
  if (mark >= 0) steps.push(`${last ?? ''}?`)
  return steps.slice(1, 1 + MAX_STEPS)
}

/** The address with so many folders after its host. */
function prefixOf(address: string, steps: number): string {
  const origin = address.split('/', 3).join('/')
  const folders = stepsOf(address).slice(0, steps)
  const isScript = folders.at(-1)?.endsWith('?')
  return `${[origin, ...folders].join('/')}${isScript ? '' : '/'}`
}
