import { InvalidArgumentError } from 'commander'
import { byteSize } from '#library/settings/setting-kinds.ts'
import { UsageError } from '../../text/usage-error.ts'

/** Reads a whole number from `least` to `most`; commander adds the flag's name to a complaint. */
export function wholeNumber(
  least: number,
  most = Number.POSITIVE_INFINITY,
): (text: string) => number {
  const range =
    most < Number.POSITIVE_INFINITY ? `from ${least} to ${most}` : `of at least ${least}`
  return (text) => {
    const value = Number(text)
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number ${range}.`)
    return value
  }
}

/** Reads a number of at least 0, such as a delay in seconds. */
export function amount(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be a number of at least 0.')
  return value
}

/** Reads a size in bytes, such as `2GiB`. */
export function size(text: string): number {
  const bytes = byteSize.fromText(text)
  if (bytes === undefined) throw new InvalidArgumentError(`It must be ${byteSize.form}.`)
  return bytes
}

/** Collects a flag that may be given several times. */
export function several(text: string, sofar: readonly string[] = []): readonly string[] {
  return [...sofar, text]
}

/** Reads a comma-separated list of whole numbers of at least 1, such as `--sizes 1000,2000`. */
export function wholeNumbers(flag: string, text: string, least = 1): number[] {
  const items = commaList(text)
  if (items.length === 0) throw new UsageError(`${flag} names none: try 1000,2000`)
  return items.map((item) => {
    const value = Number(item)
    if (!/^\d+$/.test(item) || !Number.isSafeInteger(value) || value < least)
      throw new UsageError(
        `${flag} takes whole numbers of at least ${least}, as in 1000,2000, not "${item}"`,
      )
    return value
  })
}

/** Reads a comma-separated list. */
export function commaList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim())
  return items.filter((item) => item !== '')
}
