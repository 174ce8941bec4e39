import type { HostTerms } from '#frontier/instructions.ts'
import type { ControlAction } from '#library/actions/control-actions.ts'
import { count, spanText } from './blocks/words.ts'

type Kind = ControlAction['kind']

/** What a button says. */
export const BUTTONS: Readonly<Record<Kind, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  reload: 'Reload settings',
  seed: 'Add this seed',
  rate: 'Set the rate',
  fetch: 'Fetch this now',
  forget: 'Forget this page',
  exclude: 'Exclude this pattern',
  readmit: 'Admit it again',
  site: 'Change its settings',
}

/** What an action does, for whoever is to confirm it. */
export const MEANINGS: Readonly<Record<Kind, string>> = {
  pause: 'The crawl sends nothing more until it is resumed. It keeps its place.',
  resume: 'The crawl goes on.',
  stop: 'The crawl ends, as by Ctrl-C. The command that began it goes on where it was.',
  reload: 'The service reads its settings and seeds again.',
  seed: 'The address becomes a seed: it is fetched first, and the scope may go by it.',
  rate: 'The settings file gets this rate, and the service reads it.',
  fetch:
    'It goes to the front of the next plan. It costs a fetch of the budget, waits for its host’s turn, and robots.txt holds for it.',
  forget:
    'Searchers do not find it any more, and it is not fetched again unless you ask for it. WARC files keep what they have.',
  exclude:
    'Addresses like that are not fetched any more, and links to them are left alone. Pages that are held stay; each can be forgotten.',
  readmit: 'Addresses like that may be fetched again.',
  site: 'This holds for the host in place of what the settings say, until you say otherwise; its robots.txt may ask for a longer delay. Less than a second, and more than one request at once, is for sites of your own.',
}

/** What takes back all that was said of a host. */
export const AS_SETTINGS = 'As the settings say'

/** What is to hold for a host, in words; nothing where that is as the settings say. */
export function termsText({
  delay,
  concurrency,
  quietHours,
  maxPages,
  refreshAfter,
}: HostTerms): string {
  return [
    ...(delay === undefined ? [] : [`${delay} s between requests`]),
    ...(concurrency === undefined ? [] : [`${concurrency} at once`]),
    ...(quietHours === undefined ? [] : [`quiet ${quietHours.join(', ')}`]),
    ...(maxPages === undefined ? [] : [`${count(maxPages)} pages at most`]),
    ...(refreshAfter === undefined ? [] : [`copies again after ${spanText(refreshAfter)}`]),
  ].join('; ')
}

/** When it comes into force, for a crawl that runs and one that does not. */
export function whenText(kind: Kind, isRunning: boolean): string {
  if (kind === 'seed' && isRunning) return 'The service opens its crawl again to take it in.'
  if (kind === 'forget' && !isRunning) return 'It is done.'
  if (['fetch', 'forget', 'exclude', 'readmit', 'site'].includes(kind))
    return isRunning
      ? 'The crawl takes it in before its next plan, within seconds or minutes.'
      : 'The next run takes it in.'
  return ''
}

/** What the button of an action says. */
export function buttonOf(action: ControlAction): string {
  return action.kind === 'site' && termsText(action) === '' ? AS_SETTINGS : BUTTONS[action.kind]
}

/** What was done, in one line. */
export function actionText(action: ControlAction): string {
  const words = buttonOf(action)
  switch (action.kind) {
    case 'seed':
    case 'fetch':
    case 'forget':
      return `${words}: ${action.url}`
    case 'exclude':
    case 'readmit':
      return `${words}: ${action.pattern}`
    case 'rate':
      return `${words}: ${action.fetchesADay} fetches a day`
    case 'site':
      return [`${words}: ${action.host}`, termsText(action)]
        .filter((text) => text !== '')
        .join(', ')
    default:
      return words
  }
}
