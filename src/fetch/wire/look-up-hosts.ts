import { lookup } from 'node:dns/promises'

/** The look-up process: answers its parent's questions (see `system-lookup.ts`) until that is gone. */
export interface Question {
  readonly id: number
  readonly host: string
}

export type Reply =
  | { readonly id: number; readonly addresses: readonly string[] }
  | { readonly id: number; readonly code: string }

process.on('message', ({ id, host }: Question) => {
  // What the system says, hosts file included.
  lookup(host, { all: true, order: 'verbatim' }).then(
    (found) => reply({ id, addresses: found.map(({ address }) => address) }),
    ({ code = 'EAI_FAIL' }: NodeJS.ErrnoException) => reply({ id, code }),
  )
})
// A terminal's Ctrl-C is for the parent to obey.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// Any other way to end would wait for look-ups under way.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

function reply(message: Reply): void {
  if (process.connected) process.send!(message)
}
