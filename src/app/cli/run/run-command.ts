import type { Command } from 'commander'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { runForGood } from './run-session.ts'

/** The flags of `forager run`, and what it does. */
export function defineRun(command: Command): void {
  addSettings(command, 'run')
    .option('--json', 'print the summary as JSON when it ends')
    .addHelpText(
      'after',
      `
It fetches, refreshes and discovers at a rate, and ends when it is told to (Ctrl-C, a polite kill, forager stop).
Searches on its own page, a query log that grows and changed seeds are taken in while it runs; forager reload, or the
signal SIGHUP, lets it read its settings again. The rate holds over restarts and kills.

Examples:
  forager run https://example.org/ --contact you@example.org --scope domain
  forager run --config forager.json                        # all settings in a file
  forager run --fetches-a-day 5000 --burst 500             # wakes for some hundred fetches at a time
  forager run --quiet-hours '22:00-06:00' --quiet-hours 'Sat,Sun 00:00-24:00 Europe/Berlin'
  forager run --query-log searches.jsonl --seeds seeds.txt # both may change while it runs
  forager run --hear-port 8090 --callback https://bot.example/  # sites and hubs tell of news
  forager run --serve 8080 --metrics-port 9464             # the search page and metrics in the same process`,
    )
    .action(async (seeds: string[], options: { json?: boolean }, command: Command) => {
      await runForGood(() => settingsOf(command), seeds, outputFor(options))
    })
}
