import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTakenIn } from '#repository/queries/taken-in.ts'
import { type EventFile, eventFile, eventFilesIn } from '#workload/formats/event-files.ts'

/** How large the logs are, and whether there is room for more. */
export interface LogState {
  readonly bytes: number
  readonly mostBytes: number
  readonly isFull: boolean
  /** Lines that were not written because the log is full. */
  readonly unwritten: number
}

/** A file has at most this share of all. */
const FILE_SHARE = 1 / 16
/** How long a full log waits before it looks for room again. */
const LOOK_AGAIN_MS = 60_000

/**
 * Keeps the logs of the search page within a size: a file a day, in parts where it is large. Without room, the oldest
 * files are deleted that the tables have taken in whole. If there are none, nothing more is written.
 */
export class LogRotation {
  readonly #folder: string
  readonly #mostBytes: number
  readonly #elapsedMs: () => number
  #bytes: number
  #current: { readonly file: EventFile; bytes: number } | undefined
  #unwritten = 0
  #fullSince: number | undefined

  constructor(folder: string, mostBytes: number, elapsedMs = () => performance.now()) {
    this.#folder = folder
    this.#mostBytes = mostBytes
    this.#elapsedMs = elapsedMs
    this.#bytes = sum(this.#files())
  }

  get state(): LogState {
    return {
      bytes: this.#bytes,
      mostBytes: this.#mostBytes,
      isFull: this.#fullSince !== undefined,
      unwritten: this.#unwritten,
    }
  }

  /** The file that the next line of a day (as 2026-01-31) is to be appended to; none while there is no room. */
  nameFor(day: string, lineBytes: number): string | undefined {
    if (!this.#hasRoom(lineBytes)) {
      this.#unwritten++
      return undefined
    }
    const isIt = this.#current?.file.day === day && this.#fits(this.#current.bytes, lineBytes)
    if (!isIt) this.#current = this.#fileOf(day, lineBytes)
    this.#current!.bytes += lineBytes
    this.#bytes += lineBytes
    return this.#current!.file.name
  }

  #hasRoom(lineBytes: number): boolean {
    if (this.#bytes + lineBytes <= this.#mostBytes) return true
    const now = this.#elapsedMs()
    if (this.#fullSince !== undefined && now - this.#fullSince < LOOK_AGAIN_MS) return false
    this.#dropTakenIn(lineBytes)
    const hasRoom = this.#bytes + lineBytes <= this.#mostBytes
    this.#fullSince = hasRoom ? undefined : now
    return hasRoom
  }

  #dropTakenIn(lineBytes: number): void {
    const files = this.#files()
    const taken = readTakenIn(this.#folder)
    this.#bytes = sum(files)
    for (const { file, bytes } of files) {
      if (this.#bytes + lineBytes <= this.#mostBytes) return
      if ((taken.get(file.name) ?? 0) < bytes) continue
      if (file.name === this.#current?.file.name) this.#current = undefined
      rmSync(join(this.#folder, file.name), { force: true })
      this.#bytes -= bytes
    }
  }

  /** The latest part of a day, or the next. One that was dropped is not begun again: the tables know its name. */
  #fileOf(day: string, lineBytes: number): { file: EventFile; bytes: number } {
    const latest = this.#files().findLast(({ file }) => file.day === day)
    if (latest && this.#fits(latest.bytes, lineBytes)) return latest
    const known = eventFilesIn([...readTakenIn(this.#folder).keys()])
    const dropped = known.findLast((file) => file.day === day)
    const part = Math.max(latest?.file.part ?? 0, dropped?.part ?? 0) + 1
    return { file: eventFile(day, part), bytes: 0 }
  }

  #fits(bytes: number, lineBytes: number): boolean {
    return bytes === 0 || bytes + lineBytes <= this.#mostBytes * FILE_SHARE
  }

  /** Oldest first. */
  #files(): { file: EventFile; bytes: number }[] {
    const bytesOf = ({ name }: EventFile) =>
      statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0
    return eventFilesIn(readdirSync(this.#folder)).map((file) => ({ file, bytes: bytesOf(file) }))
  }
}

function sum(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((all, { bytes }) => all + bytes, 0)
}
