import { parseQuietHours, type QuietWindow } from '#crawl/pace/quiet-hours.ts'

/** The hours that settings name, which were checked. */
export function quietWindows({
  quietHours = [],
}: {
  readonly quietHours?: readonly string[] | undefined
}): QuietWindow[] {
  return quietHours.map((text) => parseQuietHours(text)!)
}
