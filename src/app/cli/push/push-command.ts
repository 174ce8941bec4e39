import type { Command } from 'commander'
import { pushTargets } from '#library/outlets/push-targets.ts'
import { pushPages } from '#library/push/push-pages.ts'
import { PushError } from '#library/push/push-target.ts'
import { isPushAddress } from '#library/settings/push-address.ts'
import { UsageError } from '../../text/usage-error.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor, some } from '../terminal/output.ts'
import { Progress } from '../terminal/progress.ts'
import { noteTo } from '../words/note-text.ts'

interface PushFlags {
  readonly to: string
  readonly again?: boolean
  readonly json?: boolean
}

/** The flags of `forager push`, and what it does. */
export function definePush(command: Command): void {
  addSettings(command, ['dir', 'pushKey'])
    .requiredOption(
      '--to <address>',
      'who is to have them: a webhook, as in https://hooks.example/forager, or an index, as in opensearch://127.0.0.1:9200/pages',
    )
    .option('--again', 'all pages once more, also those that it has')
    .option('--json', 'print what was pushed as JSON')
    .addHelpText(
      'after',
      `
The target gets every page that is new, has changed or is gone since it was last told; the directory remembers up to where
that was. What fails is sent again, also by the next call. forager crawl and run do the same while they go on: see push.to in
docs/reference/configuration.md.

Examples:
  forager push --dir mycrawl --to https://hooks.example/forager --push-key hook.key
  forager push --dir mycrawl --to https://hooks.example/forager --push-key hook.key --again
  forager push --dir mycrawl --to opensearch://127.0.0.1:9200/pages
  FORAGER_OPENSEARCH_AUTH='ApiKey …' forager push --dir mycrawl --to elasticsearch+https://es.example:9200/pages`,
    )
    .action(async (flags: PushFlags, command: Command) => {
      const { to, again } = flags
      if (!isPushAddress(to))
        throw new UsageError(
          `--to ${to} is no address that pages can go to, such as https://hooks.example/forager or opensearch://127.0.0.1:9200/pages`,
        )
      const { settings } = settingsOf(command)
      const output = outputFor(flags)
      const [target] = pushTargets([to], settings, noteTo(output, settings.dir))
      let progress: Progress | undefined
      const summary = await pushPages({
        ...{ dir: settings.dir, target, again },
        onPages: (done, total) => {
          progress ??= new Progress('pushing', 'pages', total)
          progress.update(done)
        },
      })
        .catch((error) => {
          if (!(error instanceof PushError)) throw error
          process.exitCode = 1
          output.note(`${error.message}; the same command goes on where it was`)
        })
        .finally(() => progress?.clear())
      if (!summary) return
      output.result({ dir: settings.dir, ...summary }, () =>
        summary.pages === 0
          ? `nothing new for ${summary.to}`
          : `${some(summary.pages, 'page')} to ${summary.to}`,
      )
    })
}
