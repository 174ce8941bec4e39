import type { PageClicks } from '#workload/workload.ts'

/**
 * How many of the recorded clicks went to the pages held.
 *
 * @paper FetterlyCraswellVinay2009 §2.3 and §3.1
 */
export function clickUtility(
  clicks: readonly PageClicks[],
  isHeld: (url: string) => boolean,
): number {
  let sum = 0
  for (const page of clicks) if (isHeld(page.url)) sum += page.clicks
  return sum
}
