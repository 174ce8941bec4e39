import { SettingError } from '#errors/setting-error.ts'
import { act, type ControlAction, type Controlled } from '#library/actions/control-actions.ts'
import { confirmContent, doneContent } from '../../web/control/action-forms.ts'
import { controlPage } from '../../web/control/control-frame.ts'
import { Refusal } from '../http/refusal.ts'
import { htmlAnswer, type Route, route } from '../http/route.ts'
import type { ControlAccess } from './control-access.ts'

/** Does what a form asks for, once that was confirmed. */
export function actRoute(controlled: Controlled, access: ControlAccess, hasSearch: boolean): Route {
  const page = (title: string, content: Parameters<typeof controlPage>[3]) =>
    htmlAnswer(
      200,
      controlPage({ dir: controlled.dir, hasSearch, isStill: true }, '', title, content),
    )
  return route({
    path: '/control/act',
    method: 'POST',
    answer: async (_, { form = new URLSearchParams() }) => {
      if (!access.isOwnForm(form))
        return new Refusal(403, 'The page was open for too long: load it again.')
      const action = actionIn(form)
      if (!action) return new Refusal(400, 'There is no such action.')
      if (form.get('confirmed') !== 'yes')
        return page('Are you sure?', confirmContent(action, access.formKey))
      try {
        await act(controlled, action)
      } catch (error) {
        if (error instanceof SettingError) return new Refusal(409, error.message)
        throw error
      }
      return page('Done', doneContent(action.kind))
    },
  })
}

function actionIn(form: URLSearchParams): ControlAction | undefined {
  const kind = form.get('action')
  if (kind === 'pause' || kind === 'resume' || kind === 'stop' || kind === 'reload') return { kind }
  if (kind === 'seed') return { kind, url: form.get('url') ?? '' }
  if (kind === 'rate') return { kind, fetchesADay: Number(form.get('fetchesADay')) }
  return undefined
}
