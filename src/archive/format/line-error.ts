import { SettingError } from '#errors/setting-error.ts'

/** The user's error in a file: names the file, the line (from 1) and what is wrong there. */
export function lineError(path: string, line: number, what: string): SettingError {
  return new SettingError('archive', `${path}, line ${line}: ${what}`)
}
