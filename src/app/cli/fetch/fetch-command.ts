import type { Command } from 'commander'
import { scopeTest } from '#frontier/scope.ts'
import { readSeeds } from '#library/open/seeds.ts'
import { openLiveWeb } from '#library/open/web.ts'
import { exposedFiles } from '#library/settings/exposed-files.ts'
import { identityOf } from '#library/settings/identity.ts'
import type { Settings } from '#library/settings/settings.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { noteTo } from '../words/note-text.ts'
import { fetchReport, fetchText } from './fetch-report.ts'
import { fetchSteps } from './fetch-steps.ts'
import { RequestTimings } from './request-timings.ts'

interface FetchOptions {
  links: number
  json?: boolean
}

/** The flags of `forager fetch`, and what it does. */
export function defineFetch(command: Command): void {
  addSettings(command, [
    'contact',
    'userAgent',
    'identityKey',
    'identityAgent',
    'identitySign',
    'scope',
    'include',
    'exclude',
    'delay',
    'resolve',
    'proxy',
    'allowPrivate',
    'robotsDenied',
    'connectTimeout',
    'firstByteTimeout',
    'totalTimeout',
    'maxBody',
  ])
    .option('--links <n>', 'how many links to show', wholeNumber(0), 10)
    .option('--json', 'print all of it as JSON')
    .addHelpText(
      'after',
      `
It asks politely for robots.txt and the URL, then for what that redirects to, each hop checked by itself.
Exit code 0 when a page came, 1 when not.

Examples:
  forager fetch https://example.org/ --contact you@example.org
  forager fetch http://a.example/ --resolve '*=127.0.0.1:8080' --json`,
    )
    .action((url: string, options: FetchOptions, command: Command) => {
      const { settings, configFile } = settingsOf(command)
      const note = noteTo(outputFor(options), settings.dir)
      for (const file of exposedFiles(settings, configFile))
        note({ kind: 'readable by others', file })
      return runFetch(url, settings, options)
    })
}

async function runFetch(asked: string, settings: Settings, options: FetchOptions): Promise<void> {
  const [url] = readSeeds([asked])
  const { scope: reach = 'anywhere', include, exclude } = settings
  // Judged as if found from its site's home page; as a seed anything would be welcome.
  const seeds = readSeeds(settings.seedUrls ?? [new URL('/', url).href])
  const timings = new RequestTimings()
  const web = await openLiveWeb(settings, [url], { onThreads: false })
  const fetcher = web.fetcher({ keepExchange: true })
  try {
    const steps = await fetchSteps(url, {
      fetcher,
      scope: scopeTest({ scope: reach, include, exclude }, seeds),
      timings,
      maxBodyBytes: settings.maxBody,
    })
    const report = fetchReport(asked, identityOf(settings).userAgent, steps, options.links)
    outputFor(options).result(report, () => fetchText(report, steps))
    if (!report.isPage) process.exitCode = 1
  } finally {
    timings.stop()
    await fetcher.close()
  }
}
