import { once } from 'node:events'
import type { Command } from 'commander'
import { readArchive } from '#archive/format/read-archive.ts'
import { startReplayServer } from '../../server/replay-server.ts'
import { UsageError } from '../../text/usage-error.ts'
import { amount, wholeNumber } from '../settings/options.ts'
import { outputFor } from '../terminal/output.ts'
import { stopOnSignals } from '../terminal/signals.ts'

interface ServeOptions {
  port: number
  speed: number
  from?: number
  json?: boolean
}

/** The flags of `forager lab serve`, and what it does. */
export function defineLabServe(command: Command): void {
  command
    .option('--port <n>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), 0)
    .option('--speed <weeks>', 'snapshots a minute; 0 stands still', amount, 0)
    .option(
      '--from <snapshot>',
      'snapshot to begin with (default: the first, or with --speed 0 the last)',
      wholeNumber(0),
    )
    .option('--json', 'print where it listens as JSON')
    .addHelpText(
      'after',
      `
Examples:
  forager lab serve modelweb --port 8081
  forager crawl http://a.example/ --resolve '*=127.0.0.1:8081' --delay 0 --budget 500
  forager lab serve modelweb --speed 4     # four weeks a minute`,
    )
    .action(runServe)
}

async function runServe(dir: string, options: ServeOptions): Promise<void> {
  const output = outputFor(options)
  const archive = await readArchive(dir)
  const last = archive.snapshotCount - 1
  const from = options.from ?? (options.speed === 0 ? last : 0)
  if (from > last) throw new UsageError(`--from ${from}: ${dir} has snapshots 0 to ${last} only`)
  const { port, speed } = options
  const server = await startReplayServer({ archive, port, from, speed })
  const seeds = archive.site.start.join(' ')
  output.result({ port: server.port, snapshot: from, seeds: archive.site.start }, () =>
    [
      `serving ${archive.site.name} at http://127.0.0.1:${server.port}/ (snapshot ${from} of ${last}${speed ? `, ${speed} a minute` : ''}); Ctrl-C ends it`,
      `Try: forager crawl ${seeds} --resolve '*=127.0.0.1:${server.port}' --delay 0 --budget 500`,
    ].join('\n'),
  )
  const stop = stopOnSignals(() => {})
  await once(stop.signal, 'abort')
  stop.forget()
  await server.close()
}
