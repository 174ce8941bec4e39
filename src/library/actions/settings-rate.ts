import { existsSync, readFileSync, statSync } from 'node:fs'
import { SettingError } from '#errors/setting-error.ts'
import { writeAtOnce } from '#repository/durable-file.ts'

const RATE = /("fetchesADay"\s*:\s*)(\d+)/g

/** The rate that a settings file names; undefined if it names none, or more than one. */
export function rateIn(settingsFile: string | undefined): number | undefined {
  if (settingsFile === undefined || !existsSync(settingsFile)) return undefined
  const found = [...readFileSync(settingsFile, 'utf8').matchAll(RATE)]
  return found.length === 1 ? Number(found[0][2]) : undefined
}

/** Writes another rate into a settings file; all else there stays as it is. */
export function setRate(settingsFile: string, fetchesADay: number): void {
  if (!Number.isSafeInteger(fetchesADay) || fetchesADay < 1)
    throw new SettingError('fetchesADay', '{fetchesADay} must be a whole number above 0')
  const text = readFileSync(settingsFile, 'utf8').replace(RATE, `$1${fetchesADay}`)
  writeAtOnce(settingsFile, text, statSync(settingsFile).mode)
}
