import { parseQuietHours } from '#crawl/pace/quiet-hours.ts'

/** What values a setting takes; it reads a flag's text and a config file's JSON alike. */
export interface Kind<Value> {
  /** What a value must be, as in "a number of at least 0". */
  readonly form: string
  /** How it is written in a config file, for the documents. */
  readonly example: string
  /** The value, or undefined when the text is none. */
  fromText(text: string): Value | undefined
  fromJson(json: unknown): Value | undefined
  /** What is wrong with this text in particular, or what was probably meant, where that can be said. */
  hint?(text: string): string
  /** What exactly is wrong with a value that has parts, with the name of the part. */
  fault?(json: unknown): string | undefined
  /** The value with its files named from a folder, where a config file lies. */
  inFolder?(value: Value, folder: string): Value
  /** Given several times, the flag gathers a list. */
  readonly repeats?: boolean
  /** A file or folder, which a config file names from where it lies itself. */
  readonly path?: boolean
}

/** A whole number between bounds. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Kind<number> {
  const fits = (value: number) => Number.isSafeInteger(value) && value >= least && value <= most
  const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${most}`
  return {
    form: `a whole number of at least ${least}${upTo}`,
    example: String(Math.max(least, 1)),
    fromText: (text) => (/^-?\d+$/.test(text) && fits(Number(text)) ? Number(text) : undefined),
    fromJson: (json) => (typeof json === 'number' && fits(json) ? json : undefined),
  }
}

/** Fetches in all, or so many more than earlier runs have made. */
export type Budget = number | `+${number}`

export const budget: Kind<Budget> = {
  form: 'a whole number of at least 1, or so many more than so far, as in +500',
  example: '1000',
  fromText: (text) => (/^\+/.test(text) ? moreFetches(text) : whole(1).fromText(text)),
  fromJson: (json) => (typeof json === 'string' ? moreFetches(json) : whole(1).fromJson(json)),
}

function moreFetches(text: string): Budget | undefined {
  const count = /^\+(\d+)$/.exec(text)?.[1]
  const more = count === undefined ? undefined : whole(1).fromText(count)
  return more === undefined ? undefined : `+${more}`
}

/** The fetches in all that a budget comes to. */
export function fetchesInAll(given: Budget, spent: number): number {
  return typeof given === 'number' ? given : spent + Number(given)
}

/** A number of at least `least`, such as a delay. */
export function amount(least = 0): Kind<number> {
  const fits = (value: number) => Number.isFinite(value) && value >= least
  return {
    form: `a number of at least ${least}`,
    example: '1.5',
    fromText: (text) => (text.trim() !== '' && fits(Number(text)) ? Number(text) : undefined),
    fromJson: (json) => (typeof json === 'number' && fits(json) ? json : undefined),
  }
}

const BYTES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** A size in bytes: `500`, `10MB`, `2GiB`. */
export const byteSize: Kind<number> = {
  form: 'a size of at least 1 byte, as in 500kB, 10MB or 2GiB',
  example: '"2GB"',
  fromText: readBytes,
  fromJson: (json) =>
    typeof json === 'string' || typeof json === 'number' ? readBytes(String(json)) : undefined,
}

function readBytes(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?) ?([kmgt]?i?b)?$/i.exec(text.trim())
  const unit = BYTES[(parts?.[2] ?? '').toLowerCase()]
  const bytes = parts && unit !== undefined ? Math.floor(Number(parts[1]) * unit) : 0
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined
}

/** More than 0 and at most 1. */
export const shareOfOne: Kind<number> = shareThat(
  'a share, more than 0 and at most 1',
  (share) => share > 0 && share <= 1,
)

/** From 0 to 1. */
export const shareOrNone: Kind<number> = shareThat(
  'a share from 0 to 1',
  (share) => share >= 0 && share <= 1,
)

function shareThat(form: string, fits: (share: number) => boolean): Kind<number> {
  const read = (share: number) => (fits(share) ? share : undefined)
  return {
    form,
    example: '0.05',
    fromText: (text) => (text.trim() === '' ? undefined : read(Number(text))),
    fromJson: (json) => (typeof json === 'number' ? read(json) : undefined),
  }
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 }

/** A time in seconds: `90`, `15m`, `1h30m`. */
export const timeSpan: Kind<number> = {
  form: 'a time of at least 1 second, as in 90s, 15m or 1h30m',
  example: '"2h"',
  fromText: readSeconds,
  fromJson: (json) =>
    typeof json === 'string' || typeof json === 'number' ? readSeconds(String(json)) : undefined,
}

function readSeconds(text: string): number | undefined {
  const plain = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
  if (plain !== undefined) return plain >= 1 ? plain : undefined
  if (!/^(?:\d+(?:\.\d+)? ?(?:s|m|min|h|d) ?)+$/i.test(text)) return undefined
  let seconds = 0
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?) ?(min|[smhd])/gi))
    seconds += Number(count) * SECONDS[unit.toLowerCase()]
  return seconds >= 1 ? seconds : undefined
}

/** Any text of one line but the empty one. */
export const oneLine: Kind<string> = {
  form: 'text of one line',
  example: '"…"',
  fromText: readLine,
  fromJson: readLine,
}

/** The name of a file or folder. */
export function pathTo(what: string): Kind<string> {
  return {
    form: `the name of a ${what}`,
    example: '"…"',
    fromText: readLine,
    fromJson: readLine,
    path: true,
  }
}

function readLine(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^\p{Cc}]+$/u.test(value) && value.trim() !== ''
    ? value
    : undefined
}

/** Text that `fits` accepts, described as `form`. */
export function lineThat(
  form: string,
  example: string,
  fits: (text: string) => boolean,
): Kind<string> {
  const read = (value: unknown) => {
    const text = readLine(value)
    return text !== undefined && fits(text) ? text : undefined
  }
  return { form, example, fromText: read, fromJson: read }
}

/** Hours in which nobody is asked. */
export const quietWindow = lineThat(
  "hours of the day, as in '22:00-06:00' or 'Mon-Fri 08:00-18:00 Europe/Berlin'",
  '"22:00-06:00"',
  (text) => parseQuietHours(text) !== undefined,
)

/** One of a few words. */
export function oneOf<Word extends string>(words: readonly Word[]): Kind<Word> {
  const read = (value: unknown) => words.find((word) => word === value)
  return {
    form: `one of ${words.join(', ')}`,
    example: `"${words[0]}"`,
    fromText: read,
    fromJson: read,
  }
}

/** True or false; on the command line a flag without a value. */
export const yesOrNo: Kind<boolean> = {
  form: 'true or false',
  example: 'true',
  fromText: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  fromJson: (json) => (typeof json === 'boolean' ? json : undefined),
}

/** Several of a kind: a list in a config file, a flag that may be repeated. */
export function listOf<Item>(item: Kind<Item>): Kind<readonly Item[]> {
  return {
    form: `a list, each ${item.form}`,
    example: `[${item.example}]`,
    repeats: true,
    fromText: (text) => {
      const value = item.fromText(text)
      return value === undefined ? undefined : [value]
    },
    fromJson: (json) => {
      if (!Array.isArray(json)) return undefined
      const values = json.map((entry) => item.fromJson(entry))
      return values.every((value) => value !== undefined) ? (values as Item[]) : undefined
    },
  }
}
