import type { Random } from '#numeric/random.ts'
import type { WebPlan } from './model-web.ts'

/** Gives some hosts a robots.txt that forbids one section, the print versions or the calendar. */
export function writeRobots(random: Random, { knobs, hosts }: WebPlan): void {
  const able = hosts.filter((host) => !host.mirrorOf && host.sections.length > 2)
  const calendars = able.filter((host) => host.calendar.length > 0)
  const wanted = Math.max(2, Math.round(knobs.robotsHostShare * hosts.length))
  for (const host of random.shuffle(able).slice(0, wanted)) {
    const section = host.sections[1 + random.below(host.sections.length - 1)]
    section.disallowed = true
    host.robots = `User-agent: *\nDisallow: /${section.slug}/\nDisallow: /print/\n`
  }
  // One of the calendars is fenced off, the others are left for crawlers to notice.
  const fenced = calendars.find((host) => !host.robots)
  if (calendars.length > 1 && fenced) fenced.robots = 'User-agent: *\nDisallow: /calendar/\n'
}
