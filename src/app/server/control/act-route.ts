import { SettingError } from '#errors/setting-error.ts'
import { actionEffect } from '#library/actions/action-effect.ts'
import {
  act,
  type ControlAction,
  type Controlled,
  checkedAction,
} from '#library/actions/control-actions.ts'
import { runningCrawl } from '#library/control/progress-file.ts'
import { timeSpan } from '#library/settings/setting-kinds.ts'
import type { Look, WatchedCrawl } from '#library/views/watched-crawl.ts'
import { confirmContent, doneContent } from '../../web/control/action-forms.ts'
import { controlPage } from '../../web/control/control-frame.ts'
import type { Html } from '../../web/html.ts'
import { Refusal } from '../http/refusal.ts'
import { type Answer, htmlAnswer, type Route, route } from '../http/route.ts'

/** Does what a form of ours asks for, once that was confirmed. */
export function actRoute(
  controlled: Controlled,
  formKey: string,
  watched: WatchedCrawl<Look>,
  hasSearch: boolean,
): Route {
  const { dir } = controlled
  const page = (title: string, content: Html) =>
    htmlAnswer(200, controlPage({ dir, hasSearch, isStill: true }, '', title, content))
  const answer = async (action: ControlAction, isConfirmed: boolean): Promise<Answer> => {
    const seen = await watched.see()
    const checked = checkedAction(action)
    const effect =
      seen.kind === 'crawl' ? await seen.look.use((look) => actionEffect(look, checked)) : undefined
    const isRunning = runningCrawl(dir) !== undefined
    if (!isConfirmed)
      return page('Are you sure?', confirmContent(checked, formKey, isRunning, effect))
    await act(controlled, checked)
    return page('Done', doneContent(checked, isRunning))
  }
  return route({
    path: '/control/act',
    method: 'POST',
    answer: async (_, { form = new URLSearchParams() }) => {
      const action = actionIn(form)
      if (!action) return new Refusal(400, 'There is no such action.')
      try {
        return await answer(action, form.get('confirmed') === 'yes')
      } catch (error) {
        if (error instanceof SettingError) return new Refusal(409, error.message)
        throw error
      }
    },
  })
}

function actionIn(form: URLSearchParams): ControlAction | undefined {
  const kind = form.get('action')
  const text = (name: string) => form.get(name)?.trim() ?? ''
  switch (kind) {
    case 'pause':
    case 'resume':
    case 'stop':
    case 'reload':
      return { kind }
    case 'seed':
    case 'fetch':
    case 'forget':
      return { kind, url: text('url') }
    case 'exclude':
    case 'readmit':
      return { kind, pattern: text('pattern') }
    case 'rate':
      return { kind, fetchesADay: Number(text('fetchesADay')) }
    case 'site': {
      const given = (name: string, read: (value: string) => number) =>
        text(name) !== '' && { [name]: read(text(name)) }
      const quietHours = text('quietHours')
        .split(',')
        .map((hours) => hours.trim())
        .filter((hours) => hours !== '')
      return {
        ...{ kind, host: text('host') },
        ...given('delay', Number),
        ...given('concurrency', Number),
        ...(quietHours.length > 0 && { quietHours }),
        ...given('maxPages', Number),
        ...given('refreshAfter', (span) => timeSpan.fromText(span) ?? Number.NaN),
      }
    }
    default:
      return undefined
  }
}
