/**
 * The user's mistake: a wrong flag, a missing file, a malformed line. The message names it and says
 * what to change; the command line prints the message alone and exits with 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
