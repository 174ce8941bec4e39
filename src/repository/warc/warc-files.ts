import { existsSync, readdirSync } from 'node:fs'

const NAME = /^(.+)-(\d{14})-(\d{5,})\.warc\.gz$/

/** First part of the names of a crawl's own files. */
export const DEFAULT_PREFIX = 'forager'

/** `forager-20261115103000-00001.warc.gz`: who, since when, and the how-manieth. */
export function warcFileName(prefix: string, at: number, serial: number): string {
  return `${prefix}-${timestamp14(at)}-${String(serial).padStart(5, '0')}.warc.gz`
}

/** What the files of a crawl's further workers begin with; the first has the crawl's own prefix. */
export function workerPrefix(prefix: string, worker: number): string {
  return worker === 0 ? prefix : `${prefix}-w${worker}`
}

interface WarcFile {
  readonly name: string
  /** The prefix of whoever wrote it. */
  readonly writer: string
  readonly serial: number
}

/** The WARC files of a crawl in a folder, those of its workers too, by serial number. */
export function warcFilesIn(dir: string, prefix: string): WarcFile[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .flatMap((name) => {
      const match = NAME.exec(name)
      const [, writer = '', , serial] = match ?? []
      const isOurs = writer === prefix || /^-w\d+$/.test(writer.replace(prefix, ''))
      return isOurs ? [{ name, writer, serial: Number(serial) }] : []
    })
    .sort((a, b) => a.serial - b.serial || (a.name < b.name ? -1 : 1))
}

/** Of each writer the file that was begun last: only there a kill may have left half a record. */
export function newestWarcs(dir: string, prefix: string): ReadonlySet<string> {
  const newest = new Map(warcFilesIn(dir, prefix).map(({ writer, name }) => [writer, name]))
  return new Set(newest.values())
}

/** `2026-11-15T10:30:00Z`: whole seconds, so that an index says the same as the record. */
export function warcDate(at: number): string {
  return `${new Date(Math.floor(at) * 1000).toISOString().slice(0, 19)}Z`
}

/** `20261115103000`, as indexes and file names write a time. */
export function timestamp14(at: number): string {
  return warcDate(at).replace(/\D/g, '')
}

/** Seconds since 1970 of a WARC-Date or a 14-digit timestamp; undefined if it is neither. */
export function secondsOf(date: string): number | undefined {
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(date)
  const iso = digits
    ? `${digits[1]}-${digits[2]}-${digits[3]}T${digits[4]}:${digits[5]}:${digits[6]}Z`
    : date
  const at = Date.parse(iso) / 1000
  return Number.isNaN(at) ? undefined : at
}
