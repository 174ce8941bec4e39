import type * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'

type Fs = typeof fs
/** The files that a power cut leaves in a folder. */
export type Remains = ReadonlyMap<string, Buffer>

/** A file, by whatever name: what of it has reached the disk. */
interface Inode {
  bytes: Buffer
}

/**
 * A disk as unkind as it may be: bytes reach it when their file is synced, and not before. Names reach
 * it when their folder is synced, or all at once. Notes what a power cut would leave after every step.
 */
export class UnkindDisk {
  readonly #fs: Fs
  readonly #inodes = new Map<number, Inode>()
  readonly #openPaths = new Map<number, string>()
  #folder = ''
  #syncedNames = new Map<string, Inode>()
  #remains: Remains[] = []

  constructor(real: Fs) {
    this.#fs = real
  }

  /** The functions of node:fs that matter, watched. Nothing is really synced. */
  watched(): Partial<Fs> {
    const { openSync, renameSync, rmSync } = this.#fs
    return {
      openSync: (path, ...more) => {
        const file = openSync(path, ...more)
        this.#openPaths.set(file, resolve(String(path)))
        return file
      },
      fsyncSync: (file) => this.#sync(this.#openPaths.get(file)!),
      renameSync: (from, to) => {
        this.#forget(String(to))
        renameSync(from, to)
        this.note()
      },
      rmSync: (path, ...more) => {
        this.#forget(String(path))
        rmSync(path, ...more)
        this.note()
      },
    }
  }

  /** Watches a folder from now on; what is there is on the disk. */
  watch(folder: string): void {
    this.#folder = resolve(folder)
    this.#inodes.clear()
    for (const name of this.#names()) this.#sync(join(this.#folder, name))
    this.#sync(this.#folder)
    this.#remains = []
  }

  /** What power cuts would leave now: what is sure, and that with every name as it is. */
  note(): void {
    if (this.#folder === '' || !this.#fs.existsSync(this.#folder)) return
    const current = this.#names().map((name): [string, Inode] => [name, this.#inodeOf(name)])
    for (const names of [this.#syncedNames, new Map(current)])
      this.#remains.push(new Map([...names].map(([name, { bytes }]) => [name, bytes])))
  }

  /** Gives what was noted since the last time. */
  take(): Remains[] {
    const taken = this.#remains
    this.#remains = []
    return taken
  }

  #sync(path: string): void {
    if (path === this.#folder)
      this.#syncedNames = new Map(this.#names().map((name) => [name, this.#inodeOf(name)]))
    else if (dirname(path) === this.#folder)
      this.#inodeOf(path.slice(this.#folder.length + 1)).bytes = this.#fs.readFileSync(path)
    this.note()
  }

  #names(): string[] {
    return this.#fs.readdirSync(this.#folder)
  }

  #inodeOf(name: string): Inode {
    const { ino } = this.#fs.statSync(join(this.#folder, name))
    const inode = this.#inodes.get(ino) ?? { bytes: Buffer.alloc(0) }
    this.#inodes.set(ino, inode)
    return inode
  }

  /** The number of a file that is gone may be given to another. */
  #forget(path: string): void {
    const gone = this.#fs.statSync(path, { throwIfNoEntry: false })
    if (gone) this.#inodes.delete(gone.ino)
  }
}
