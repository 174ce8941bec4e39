import type { Problem } from '#library/views/problems.ts'
import { momentText } from '../../text/age.ts'
import { whySilent } from '../../text/silent-seeds.ts'
import { amount } from './blocks/words.ts'

/** What is wrong, and what to do about it. */
interface ToldProblem {
  readonly kind: Problem['kind']
  readonly what: string
  readonly advice: string
  /** The host it is about, if it is about one. */
  readonly host?: string
}

/** A problem in words. */
export function toldProblem(problem: Problem, dir: string): ToldProblem {
  const { kind } = problem
  switch (kind) {
    case 'disk':
      return {
        kind,
        what: `Only ${amount(problem.freeBytes / 1e6)} MB are left on the disk.`,
        advice: 'Free some room: a crawl ends when the disk is full, and nothing finished is lost.',
      }
    case 'killed':
      return {
        kind,
        what: `The last run ended without a word; it last said something at ${momentText(problem.at)}.`,
        advice:
          'Run the same command again: it takes up what was fetched. Look for a crash or a full memory.',
      }
    case 'not reloaded':
      return {
        kind,
        what: `New settings are not in force: ${problem.why}`,
        advice: 'Mend the settings file, then reload.',
      }
    case 'no queries':
      return {
        kind,
        what: 'Nobody’s searches are known, so that the crawl goes by links and made-up queries.',
        advice: `Bring a query log: forager queries import FILE --format csv --dir ${dir}. Or serve the search page and let people search.`,
      }
    case 'policy':
      return {
        kind,
        what: `Policy ${problem.policy}: ${problem.remark}.`,
        advice: 'See forager crawl --help, under --policy.',
      }
    case 'refusing host': {
      const { host, urls, status, reason } = problem.host
      const asks = reason === undefined ? '' : ` (${reason})`
      return {
        kind,
        host,
        what: `${host} refuses us: status ${status}${asks} for ${urls.toLocaleString('en')} ${urls === 1 ? 'page' : 'pages'}.`,
        advice:
          'Ask its owner, and give your --contact. If it is your own site, allow the crawler there, or name its credentials under "sites".',
      }
    }
    case 'stray seed':
      return {
        kind,
        what: `The seed ${problem.seed.from} redirects out of the scope, to ${problem.seed.to}.`,
        advice: 'Begin with the address that it leads to.',
      }
    case 'silent seed':
      return {
        kind,
        host: new URL(problem.seed.url).host,
        what: `The seed ${problem.seed.url} brought nothing: ${whySilent(problem.seed)}.`,
        advice: 'See whether the address is right. What failed is tried again by the next run.',
      }
    case 'alarm': {
      const { alarm } = problem
      const what = alarm.kind === 'vanishing' ? 'vanish' : 'show new links'
      return {
        kind,
        what: `Addresses like ${alarm.className} ${what} ${amount(alarm.factor)} times as often as before, since ${momentText(alarm.since)}.`,
        advice:
          'The crawl looks at them more often by itself. A site may have moved: see the changes of that section.',
      }
    }
    case 'robots':
      return {
        kind,
        host: new URL(problem.origin).host,
        what: `${problem.origin}/robots.txt ${problem.closed ? 'is closed to us' : 'cannot be had'}${problem.why === '' ? '' : ` (${problem.why})`}.`,
        advice: problem.closed
          ? 'Nothing of it is fetched. Ask its owner to let the crawler read it.'
          : 'Nothing of it is fetched until it can be read again; see whether the host answers at all.',
      }
    case 'host left alone':
      return {
        kind,
        host: problem.host,
        what: `${problem.host} is left alone until ${momentText(problem.until)}${problem.why === '' ? '' : ` (${problem.why})`}.`,
        advice:
          'It is asked again by itself. If it keeps failing, see whether it is up, and whether it is asked too often.',
      }
  }
}
