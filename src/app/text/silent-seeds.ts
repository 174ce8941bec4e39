import { plainText } from '#parse/text/plain-text.ts'
import type { SilentSeed, SilentSeeds } from '#repository/reports/url-reports.ts'
import { said } from './said.ts'

/** So many say what is the matter. */
const MOST_TOLD = 3

/** Seeds that had nothing to show, a line each, and what to do. */
export function silentSeedLines({ inAll, named }: SilentSeeds): string[] {
  const told = named.slice(0, MOST_TOLD)
  const more = inAll - told.length
  return said(
    ...told.map((seed) => `the seed ${seed.url} brought nothing: ${whySilent(seed)}`),
    more === 1 && 'one other seed brought nothing',
    more > 1 && `${more.toLocaleString('en')} other seeds brought nothing`,
  ).map(plainText)
}

/** What came of such a seed, in words. */
export function whySilent({ outcome, reason = '', status }: SilentSeed): string {
  switch (outcome) {
    case 'gone':
      return `there is no such page (status ${status})`
    case 'disallowed':
      return `robots.txt forbids it (${reason})`
    case 'unreadable':
      return `nothing we can read (${reason})`
    default:
      return reason === '' ? outcome : reason
  }
}
