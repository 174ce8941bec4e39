import type { Hold } from '#library/explain/explain-holds.ts'
import { momentText } from '../../text/age.ts'
import { flagOf } from '../settings/complaint.ts'
import { some } from '../terminal/output.ts'
import { strayText } from '../words/hindrance-lines.ts'

/** A hold as `forager explain --json` prints it. */
interface ToldHold {
  readonly kind: Hold['kind']
  readonly text: string
  readonly until?: number
}

export function toldHold(hold: Hold): ToldHold {
  return { kind: hold.kind, text: holdText(hold), until: 'until' in hold ? hold.until : undefined }
}

/** What keeps a URL from being fetched next, for people. */
export function holdText(hold: Hold): string {
  switch (hold.kind) {
    case 'scope':
      return hold.stray ? `it ${strayText(hold.stray)}` : `out of scope: ${hold.why}`
    case 'robots':
      return `robots.txt forbids it (${hold.why})`
    case 'forgotten':
      return 'you had it forgotten: it is fetched when you ask for it'
    case 'outcome':
      return outcomeText(hold)
    case 'retry': {
      const why =
        hold.failures > 0 ? `after ${hold.failures} of ${hold.most} tries` : 'with its host'
      return `waits until ${momentText(hold.until)} ${why}`
    }
    case 'host':
      return hold.isBackoff
        ? `its host is left alone until ${momentText(hold.until)}${hold.reason === undefined ? '' : ` (${hold.reason})`}`
        : `its host rests for ${hold.seconds.toFixed(1)} s more`
    case 'limit':
      return limitText(hold)
    case 'pattern':
      return 'addresses of this shape brought nothing new lately: one of them a plan, and of twenty fetches'
    case 'fresh':
      return `the copy is young: --fresh-for leaves it alone until ${momentText(hold.until)}`
    case 'plan':
      return `${hold.better} better bids; a plan has ${hold.planBudget} fetches`
  }
}

function outcomeText(hold: Hold & { kind: 'outcome' }): string {
  const { state, failures, until, secondLookAt } = hold
  if (secondLookAt !== undefined) {
    const why = state === 'failed' ? `it failed ${failures} times` : 'there was no page'
    return `${why}; it gets a second look from ${momentText(secondLookAt)} on, if fetches are left over`
  }
  const why =
    state === 'disallowed'
      ? 'robots.txt forbade it when it was its turn'
      : 'we do not go to its address: private (see --allow-private), or not a web port (see --resolve)'
  return until === undefined ? why : `${why}; it is asked about again from ${momentText(until)} on`
}

function limitText(hold: Hold & { kind: 'limit' }): string {
  if (hold.setting === 'new hosts')
    return `its host has not answered yet: new hosts that the same seed led to have earned ${some(hold.most, 'fetch', 'fetches')} of this plan`
  if (hold.setting === 'first contact')
    return `the sitemaps and feeds that its site names come first: until then ${hold.most} other URLs of it are sent`
  const { setting, most, taken } = hold
  if (setting === 'maxPages')
    return `its host may have ${some(most, 'page', 'pages')} in all, as its settings say: ${taken} fetches of it fill that`
  const group = setting.endsWith('Host') ? 'its host' : 'its domain'
  const what = setting.startsWith('max') ? 'fetches of' : 'better bids of'
  return `${flagOf(setting)} ${most}: ${taken} ${what} ${group} fill it`
}
