import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { askCrawl, type Control, dropRequest } from '#library/control/control-file.ts'
import { type CrawlProgress, runningCrawl } from '#library/control/progress-file.ts'
import { UsageError } from '../../text/usage-error.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { type Output, outputFor } from '../terminal/output.ts'

const DONE: Readonly<Record<Control, (dir: string) => string>> = {
  pause: (dir) => `paused: forager resume --dir ${dir} lets it go on`,
  resume: () => 'goes on',
  stop: () => 'stopped: the same command goes on where it was',
  reload: () => 'reloaded',
}
const LOOK_EVERY_MS = 100

/** `forager pause`, `resume`, `stop` and `reload`: words to a crawl that runs elsewhere. */
export function defineControl(command: Command): void {
  const control = command.name() as Control
  addSettings(command, ['dir'])
    .option('--wait <seconds>', 'how long to wait for it', wholeNumber(1), 120)
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', `\nExample:\n  forager ${control} --dir mycrawl`)
    .action((options) => tellCrawl(settingsOf(command).settings.dir, control, options))
}

async function tellCrawl(
  dir: string,
  control: Control,
  options: { wait: number; json?: boolean },
): Promise<void> {
  const output = outputFor(options)
  const before = runningCrawl(dir)
  if (!before) throw new UsageError(`no crawl is running in ${dir}: nothing to ${control}`)
  if (control === 'reload' && !before.service)
    throw new UsageError(`the crawl in ${dir} is no service (forager run): nothing to reload`)
  const { id } = askCrawl(dir, control)
  const wanted = control === 'pause' ? 'paused' : 'crawling'
  // Two may ask at once, and one request replace the other: what counts is what the crawl does.
  const isDone = (now: CrawlProgress | undefined) => {
    if (control === 'reload') return isReloaded(before, now)
    if (now === undefined) return true
    return control !== 'stop' && (now.answered === id || now.doing === wanted)
  }
  const ended = await untilDone(dir, isDone, options.wait)
  if (!ended.done) {
    dropRequest(dir)
    output.note(
      `forager: the crawl in ${dir} (PID ${before.pid}) has not answered within ${options.wait} s; it may be planning, or hang: try again, or end it with kill ${before.pid}`,
    )
    process.exitCode = 1
    return
  }
  tellAnswer(dir, control, ended.now, output)
}

/** It has read its settings again, or says what is wrong with them. */
function isReloaded({ service: before }: CrawlProgress, now: CrawlProgress | undefined): boolean {
  const { settingsAt, fault } = now?.service ?? {}
  if (settingsAt === undefined) return false
  return settingsAt !== before?.settingsAt || (fault !== undefined && fault !== before?.fault)
}

function tellAnswer(
  dir: string,
  control: Control,
  now: CrawlProgress | undefined,
  output: Output,
): void {
  if (!now && control !== 'stop') {
    dropRequest(dir)
    throw new UsageError(`the crawl in ${dir} has just ended: nothing to ${control}`)
  }
  if (control === 'reload' && now?.service?.fault !== undefined)
    throw new UsageError(`not reloaded: ${now.service.fault}; all is as before`)
  const doing = now?.doing ?? 'ended'
  const told = { dir, doing, ...(now && { spent: now.spent, known: now.known }) }
  output.result(told, () => `${dir}: ${DONE[control](dir)}`)
}

/** Looks until `isDone`, at most so long. */
async function untilDone(
  dir: string,
  isDone: (now: CrawlProgress | undefined) => boolean,
  seconds: number,
): Promise<{ done: boolean; now: CrawlProgress | undefined }> {
  const until = performance.now() + seconds * 1000
  for (;;) {
    const now = runningCrawl(dir)
    if (isDone(now)) return { done: true, now }
    if (performance.now() > until) return { done: false, now }
    await sleep(LOOK_EVERY_MS)
  }
}
