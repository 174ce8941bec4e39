import type { Command } from 'commander'
import { runWorker, type WorkerRunNote } from '#library/fleet/run-worker.ts'
import type { SettingName, Settings } from '#library/settings/settings.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor, some } from '../terminal/output.ts'
import { stopOnSignals } from '../terminal/signals.ts'
import { reasonOf } from '../words/note-text.ts'

/** What a machine may have of its own; how to fetch, the planner says. */
const OWN: readonly SettingName[] = ['concurrency', 'identityKey', 'resolve', 'proxy', 'sites']

/** The flags of `forager worker`, and what it does. */
export function defineWorker(command: Command): void {
  addSettings(command, ['leases', 'store', ...OWN])
    .option('--json', 'print how many requests it answered as JSON when it ends')
    .addHelpText(
      'after',
      `
A worker keeps nothing: start and stop as many as you like. What to fetch, and how politely, says the crawl that has the
same --leases and --store (forager crawl or run). Told to stop, it hands back what it has within two seconds.
The database's password is better in PGPASSWORD than in the address.

Examples:
  forager worker --leases postgres://forager@db.example/forager --store /mnt/segments
  forager worker --leases postgres://forager@db.example/forager --store s3://bucket/segments --concurrency 128`,
    )
    .action(async (options: { json?: boolean }, command: Command) => {
      const { settings, given } = settingsOf(command)
      const output = outputFor(options)
      const stop = stopOnSignals(() => output.note('stopping: handing back what is leased'))
      const own: Partial<Settings> = Object.fromEntries(
        OWN.filter((name) => given.has(name)).map((name) => [name, settings[name]]),
      )
      const note = (some: WorkerRunNote) => output.note(noteText(some))
      const answered = await runWorker(settings, { own, signal: stop.signal, note })
      stop.forget()
      output.result({ answered }, () => `${some(answered, 'request')} answered`)
    })
}

function noteText(note: WorkerRunNote): string {
  switch (note.kind) {
    case 'began':
      return `worker ${note.name}`
    case 'waiting for planner':
      return 'no crawl has said how to fetch yet: waiting for one with the same database'
    case 'trouble':
      return `the ${note.with} does not answer (${reasonOf(note.error)}): trying again`
    case 'well again':
      return `the ${note.with} answers again`
    case 'cut off':
      return 'leases may have ended, as the database was not heard of: what was under way is broken off'
    case 'lost':
      return `${note.domain} is with another worker by now`
  }
}
