import type { Command } from 'commander'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { runCrawl } from './crawl-session.ts'

/** The flags of `forager crawl`, and what it does. */
export function defineCrawl(command: Command): void {
  addSettings(command, 'crawl')
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
New pages, copies gone stale and pages that will show new links compete for every fetch (--policy unified):
forager queries import tells the crawl what its searchers ask. Every setting can also stand in
forager.config.json, as --contact should, which the live web wants of every crawl: see docs/reference/configuration.md.

Examples:
  forager crawl https://example.org/ --contact you@example.org --budget 500 --scope domain
  forager crawl --contact you@example.org --budget 2000    # go on where the last run stopped
  forager crawl --contact you@example.org --budget +500    # 500 more, whenever it is run
  forager crawl --budget 20000 --until-gain 0.01           # stop when little is left to gain
  forager crawl --policy split:70/20/10                    # fixed shares: new pages, copies, links
  forager crawl --policy pagerank                          # new pages only, by links alone
  forager crawl --config news.config.json --log news.jsonl --metrics-port 9464
  forager crawl --archive modelweb                         # a recorded web, no network
  forager crawl http://a.example/ --resolve '*=127.0.0.1:8080' --delay 0`,
    )
    .action(async (seeds: string[], options: { json?: boolean }, command: Command) => {
      const read = settingsOf(command)
      const output = outputFor(options)
      if (read.configFile !== undefined) output.note(`settings from ${read.configFile}`)
      await runCrawl(seeds, read, output)
    })
}
