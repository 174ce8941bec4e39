import type { Random } from '#numeric/random.ts'
import type { Host } from './hosts.ts'
import type { ExtraTarget, ModelWeb, WebPlan } from './model-web.ts'
import { capitalised, inventDomainNames } from './names.ts'

/** Link targets that are no pages: log-in forms, the month after a calendar's last, other webs. */
export function makeExtras(
  random: Random,
  { pages: { count: pages }, hosts }: WebPlan,
): Pick<ModelWeb, 'extras' | 'loginOf' | 'afterCalendar' | 'externals'> {
  const extras: ExtraTarget[] = []
  const add = (url: string, label: string, onSite: boolean) =>
    pages + extras.push({ url, label, onSite }) - 1
  const loginOf = Uint32Array.from(hosts, ({ name }) =>
    add(`http://${name}/account/login`, 'Log in', true),
  )
  const afterCalendar = new Map<Host, number>()
  for (const host of hosts)
    if (host.calendar.length > 0) {
      const path = calendarPath(host.calendar.length)
      afterCalendar.set(host, add(`http://${host.name}${path}`, 'Next', true))
    }
  const names = inventDomainNames(random, Math.max(40, Math.round(pages / 50)))
  const externals = names.map((name) =>
    add(`http://www.outside-${name}/`, capitalised(name.split('-')[0]), false),
  )
  return { extras, loginOf, afterCalendar, externals }
}

/** Month number `month` of a calendar, counted from January 2015. */
export const calendarPath = (month: number): string =>
  `/calendar/${2015 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
