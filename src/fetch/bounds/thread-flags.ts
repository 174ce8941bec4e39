/**
 * Flags of Node for a thread. One about programs given as text (`node -e`) no thread may have. Without that one nothing
 * is said: a thread inherits flags of the engine, which it may not be given.
 */
export function threadFlags(): { execArgv?: string[] } {
  const isInputType = (flag: string) => /^-+input-type\b/.test(flag)
  const { execArgv } = process
  return execArgv.some(isInputType) ? { execArgv: execArgv.filter((f) => !isInputType(f)) } : {}
}
