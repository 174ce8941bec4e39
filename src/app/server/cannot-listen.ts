import { UsageError } from '../text/usage-error.ts'

/** The complaint about flags that name a place where no server can listen, and what to change about them. */
export function cannotListen(flags: string, cause: NodeJS.ErrnoException): UsageError {
  const isHost = cause.code === 'EADDRNOTAVAIL' || cause.code === 'ENOTFOUND'
  const advice = isHost
    ? 'name an address of this machine'
    : 'choose another port, or 0 for a free one'
  return new UsageError(`${flags} cannot be had (${cause.code}): ${advice}`, { cause })
}
