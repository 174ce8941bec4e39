import type { ControlAction } from '#library/actions/control-actions.ts'
import { type Html, html } from '../html.ts'
import { section } from './blocks/blocks.ts'

interface Actions {
  readonly possible: readonly ControlAction['kind'][]
  /** Says that a form is ours. */
  readonly key: string
  /** Of a service, if its settings file names it. */
  readonly fetchesADay?: number
}

const WORDS: Readonly<Record<ControlAction['kind'], string>> = {
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  reload: 'Reload settings',
  seed: 'Add this seed',
  rate: 'Set the rate',
}

/** Forms for what can be done now; each asks once more before anything happens. */
export function actionForms(actions: Actions, url = ''): Html {
  const forms = actions.possible.map((kind) => {
    const field =
      kind === 'seed'
        ? html`<div><label for="new-seed">A URL to begin with</label><input id="new-seed" name="url" type="text" inputmode="url" value="${url}" maxlength="2000" required autocomplete="off" autocapitalize="none" spellcheck="false"></div>`
        : kind === 'rate'
          ? html`<div><label for="new-rate">Fetches a day</label><input id="new-rate" name="fetchesADay" type="number" min="1" required value="${actions.fetchesADay}"></div>`
          : ''
    return html`<form action="/control/act" method="post"><input type="hidden" name="key" value="${actions.key}"><input type="hidden" name="action" value="${kind}">${field}<button class="plain" type="submit">${WORDS[kind]}</button></form>`
  })
  return html`<div class="actions">${section('actions', 'What you can do', html`${forms}`)}</div>`
}

const ASKED: Readonly<Record<ControlAction['kind'], string>> = {
  pause: 'The crawl sends nothing more until it is resumed. It keeps its place.',
  resume: 'The crawl goes on.',
  stop: 'The crawl ends, as by Ctrl-C. The command that began it goes on where it was.',
  reload: 'The service reads its settings and seeds again.',
  seed: 'The address becomes a seed: it is fetched first, and the scope may go by it.',
  rate: 'The settings file gets this rate, and the service reads it.',
}

/** Asks once more. */
export function confirmContent({ kind, ...values }: ControlAction, key: string): Html {
  const fields = Object.entries(values)
  return section(
    'confirm',
    `${WORDS[kind]}?`,
    html`<p>${ASKED[kind]}</p>${fields.length > 0 && html`<p><strong><bdi>${fields.map(([, value]) => String(value)).join(', ')}</bdi></strong></p>`}
<form action="/control/act" method="post"><input type="hidden" name="key" value="${key}"><input type="hidden" name="action" value="${kind}"><input type="hidden" name="confirmed" value="yes">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}<button type="submit">Yes, ${WORDS[kind].toLowerCase()}</button></form>
<p><a href="/control">No, go back</a></p>`,
  )
}

/** Says that it was done. */
export function doneContent(kind: ControlAction['kind']): Html {
  return section(
    'done',
    'Done',
    html`<p>${ASKED[kind]} It is noted in <code>control-log.jsonl</code>.</p><p><a href="/control">Back to the overview</a></p>`,
  )
}
