import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { openEpochs, runEpochs } from '#library/buckets/run-epochs.ts'
import { byProcesses, inThisProcess } from '#library/buckets/run-steps.ts'
import { lookAtQueries } from '#library/queries/query-tables.ts'
import type { SettingName } from '#library/settings/settings.ts'
import type { AskedQuery } from '#policy/facts/acquisition-facts.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor, some } from '../terminal/output.ts'
import { stopOnSignals } from '../terminal/signals.ts'

/** What a crawl by epochs can be told. */
const OWN: readonly SettingName[] = [
  ...([
    'dir',
    'seeds',
    'budget',
    'batch',
    'policy',
    'seed',
    'scope',
    'include',
    'exclude',
  ] as const),
  ...(['maxDepth', 'perHost', 'perDomain', 'maxPagesPerHost', 'maxPagesPerDomain'] as const),
  ...(['refreshAfter', 'archive', 'at', 'contact', 'resolve', 'delay', 'concurrency'] as const),
  ...(['sitemaps', 'warc', 'warcDir', 'warcRollover'] as const),
]

interface Flags {
  readonly buckets?: number
  readonly processes?: number
  readonly epochs?: number
  readonly queries?: string
  readonly next?: boolean
  readonly json?: boolean
}

/** The flags of `forager epochs`, and what it does. */
export function defineEpochs(command: Command): void {
  addSettings(command, OWN)
    .option('--buckets <n>', 'how many buckets a new crawl has (default: 8)', wholeNumber(1))
    .option(
      '--processes <n>',
      'processes that plan at the same time, 0 for none beside this one (default: as many as cores)',
      wholeNumber(0),
    )
    .option('--epochs <n>', 'end after so many epochs', wholeNumber(1))
    .option(
      '--queries <dir>',
      'plan by what searchers ask: the queries imported in that directory when the crawl begins',
    )
    .option('--next', 'plan nothing here: fetch what is planned, then say which steps are next')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
For more URLs than one process can hold. What is known lies in buckets, by registrable domain, in files that never change;
an epoch learns, plans and fetches for all of them at one price. It can be killed at any time and goes on where it was.

Examples:
  forager epochs https://example.org/ --contact you@example.org --dir big --buckets 64 --budget 1000000 --batch 50000
  forager epochs --archive modelweb --dir small --buckets 4 --processes 2
  forager epochs --archive modelweb --dir asked --queries searchers      # after: forager queries import log.tsv --dir searchers
  forager epochs --dir big --next --json          # for those who run forager step themselves, as on Spark`,
    )
    .action(async (seeds: string[], flags: Flags, command: Command) => {
      const { settings } = settingsOf(command)
      const output = outputFor(flags)
      const stop = stopOnSignals(() => output.note('stopping: what was answered is kept'))
      const { buckets, epochs, queries, processes = availableParallelism() } = flags
      const options = {
        settings: { ...settings, seedUrls: [...(settings.seedUrls ?? []), ...seeds] },
        ...{ buckets, epochs, signal: stop.signal },
        ...(queries !== undefined && { queries: () => queriesIn(queries) }),
      }
      if (flags.next) {
        await using open = await openEpochs(options)
        const next = await open.next()
        stop.forget()
        output.result(next, () =>
          next.kind === 'end'
            ? `${next.why} in epoch ${next.epoch}`
            : `${next.phase} of epoch ${next.epoch}: buckets ${next.buckets.join(' ')}`,
        )
        return
      }
      await using others = processes > 0 ? byProcesses(processes, stepCommand) : undefined
      const run = others?.run ?? inThisProcess()
      const on = {
        phase: ({
          epoch,
          phase,
          buckets,
        }: {
          epoch: number
          phase: string
          buckets: readonly number[]
        }) => output.note(`epoch ${epoch}: ${phase}, ${some(buckets.length, 'bucket')}`),
      }
      const end = await runEpochs({ ...options, on }, run)
      stop.forget()
      output.result(end, () => `${end.why} in epoch ${end.epoch}`)
    })
}

/** What searchers ask by what was imported in a directory; synthetic queries nobody asks. */
async function queriesIn(dir: string): Promise<readonly AskedQuery[]> {
  const { queries, synthetic } = await lookAtQueries(dir, (queries) =>
    queries.workload(Date.now() / 1000),
  )
  return synthetic ? [] : queries
}

/** A process of this program that makes steps. */
function stepCommand(dir: string): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1], 'step', '--dir', dir]
}
