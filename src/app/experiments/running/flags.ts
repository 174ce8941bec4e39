import { InvalidArgumentError, Option } from 'commander'
import { SITEMAPS, type Sitemaps } from '#archive/sitemap-dates.ts'
import { CRAWL_SPLITS } from '#lab/judging/query-split.ts'
import { SCORINGS } from '#search/full-text/default-search.ts'
import { commaList, wholeNumber, wholeNumbers } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'
import type { CommonOptions } from './experiment.ts'

/** What users gave, by the names of flags in camel case. */
type Given = Readonly<Record<string, unknown>>

/** A setting of an experiment: the flags it is given by, and how what was given is read. */
export interface Flag<Value> {
  options(name: string): Option[]
  read(given: Given, name: string): Value | Promise<Value>
}

export type Flags = Readonly<Record<string, Flag<unknown>>>

/** The flags of an experiment, read. */
export type Settings<Own extends Flags> = CommonOptions & {
  readonly [Name in keyof Own]: Own[Name] extends Flag<infer Value> ? Value : never
}

/** Reads all flags, and what every experiment takes. */
export async function readSettings<Own extends Flags>(
  flags: Own,
  options: CommonOptions,
): Promise<Settings<Own>> {
  const read: Record<string, unknown> = { archive: options.archive, seed: options.seed }
  for (const [name, flag] of Object.entries(flags))
    read[name] = await flag.read({ ...options }, name)
  return read as Settings<Own>
}

const dashed = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const optionOf = (name: string, argument: string, words: string) =>
  new Option(`--${dashed(name)} <${argument}>`, words)

/** A flag that commander reads whole. */
function parsedFlag<Value>(
  argument: string,
  words: string,
  finish: (option: Option) => Option,
): Flag<Value> {
  return {
    options: (name) => [finish(optionOf(name, argument, words))],
    read: (given, name) => given[name] as Value,
  }
}

/** A flag with a list in it, which is read with all others; complaints name the flag. */
export function listFlag<Value>(
  argument: string,
  words: string,
  read: (text: string | undefined, flag: string) => Value,
  usual?: string,
): Flag<Value> {
  return {
    options: (name) => [optionOf(name, argument, words).default(usual)],
    read: (given, name) => read(given[name] as string | undefined, `--${dashed(name)}`),
  }
}

/** A flag that is there or not. */
export function switchFlag(words: string): Flag<boolean> {
  return {
    options: (name) => [new Option(`--${dashed(name)}`, words)],
    read: (given, name) => given[name] === true,
  }
}

/** A whole number. */
export function wholeFlag<Usual extends number | undefined = undefined>(
  argument: string,
  words: string,
  [least, most]: readonly [least: number, most?: number],
  usual?: Usual,
): Flag<number | (Usual extends number ? never : undefined)> {
  return parsedFlag(argument, words, (option) =>
    option.argParser(wholeNumber(least, most)).default(usual),
  )
}

/** Which snapshot of an archive; the last if left out. */
export const snapshotFlag = wholeFlag('snapshot', 'which snapshot (default: the last)', [0])

/** One of some names. */
export function choiceFlag<Name extends string>(
  argument: string,
  words: string,
  names: readonly Name[],
  usual: Name,
): Flag<Name> {
  return parsedFlag(argument, words, (option) => option.choices(names).default(usual))
}

/** How much a crawl may know of the queries it is judged by. */
export const queriesFlag = choiceFlag(
  'kind',
  'what the crawl knows of the queries it is judged by: another log of the same searchers, other queries (half), the same, or none',
  CRAWL_SPLITS,
  'log',
)

/** Whether hosts of a recorded web have sitemaps, and what their dates are worth. */
export const sitemapsFlag = choiceFlag<Sitemaps>(
  'kind',
  'whether every host has a sitemap of all it has with true dates, none has, or each its own: true dates, none, wrong ones',
  SITEMAPS,
  'honest',
)

export const scoringFlag = choiceFlag(
  'name',
  'how results are ranked',
  Object.keys(SCORINGS),
  'default',
)

/** A share up to 1; whether it may be 0 is for `least` to say. */
export function shareFlag(words: string, usual: number, least: 'any' | 'above 0'): Flag<number> {
  const form = least === 'any' ? 'from 0 to 1, such as 0.5' : 'above 0 and up to 1, such as 0.01'
  const parse = (text: string) => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= 0 && value <= 1) || (least !== 'any' && value === 0))
      throw new InvalidArgumentError(`It must be a share ${form}.`)
    return value
  }
  return parsedFlag('share', words, (option) => option.argParser(parse).default(usual))
}

/** Some of the names allowed, separated by commas; `usual` if it is left out. */
export function namesFlag<Name extends string>(
  argument: string,
  words: string,
  allowed: readonly Name[],
  usual: readonly Name[] = allowed,
): Flag<readonly Name[]> {
  return listFlag(argument, words, (text, flag) => chosen(flag, text, allowed, usual))
}

/** Whole numbers of at least 1, separated by commas. */
export function numbersFlag<Usual extends string | undefined = undefined>(
  words: string,
  usual?: Usual,
  least = 1,
): Flag<number[] | (Usual extends string ? never : undefined)> {
  const read = (text: string | undefined, flag: string) =>
    text === undefined ? undefined : wholeNumbers(flag, text, least)
  return listFlag('numbers', words, read, usual) as Flag<number[]>
}

/** Numbers in per cent of the pages, separated by commas. */
export function percentsFlag(words: string, usual: string): Flag<number[]> {
  return listFlag(
    'shares',
    words,
    (text = usual, flag) => {
      const numbers = commaList(text).map(Number)
      if (numbers.length === 0 || !numbers.every((number) => number > 0 && number <= 100))
        throw new UsageError(`${flag} takes per cent of the pages, as in 2,5, not "${text}"`)
      return [...new Set(numbers)]
    },
    usual,
  )
}

/** The items of a comma-separated text, each one of those allowed. */
export function chosen<Item extends string>(
  flag: string,
  text: string | undefined,
  allowed: readonly Item[],
  usual: readonly Item[] = allowed,
): readonly Item[] {
  if (text === undefined) return usual
  const items = [...new Set(commaList(text))]
  if (items.length === 0) throw new UsageError(`${flag} names none: try ${usual.join(',')}`)
  return items.map((item) => {
    const known = allowed.find((one) => one === item)
    if (known === undefined)
      throw new UsageError(`${flag} must be of ${allowed.join(', ')}, not "${item}"`)
    return known
  })
}
