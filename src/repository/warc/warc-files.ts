import { existsSync, readdirSync } from 'node:fs'

const NAME = /^(.+)-(\d{14})-(\d{5,})\.warc\.gz$/

/** First part of the names of a crawl's own files. */
export const DEFAULT_PREFIX = 'forager'

/** `forager-20261115103000-00001.warc.gz`: who, since when, and the how-manieth. */
export function warcFileName(prefix: string, at: number, serial: number): string {
  return `${prefix}-${timestamp14(at)}-${String(serial).padStart(5, '0')}.warc.gz`
}

/** The WARC files of one writer in a folder, by serial number. */
export function warcFilesIn(dir: string, prefix: string): { name: string; serial: number }[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .flatMap((name) => {
      const match = NAME.exec(name)
      return match?.[1] === prefix ? [{ name, serial: Number(match[3]) }] : []
    })
    .sort((a, b) => a.serial - b.serial || (a.name < b.name ? -1 : 1))
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
