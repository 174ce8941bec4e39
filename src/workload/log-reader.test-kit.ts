import type { Finding, LogOptions, LogReader, LogSink } from './formats/log-record.ts'

/** All that a reader finds in a text: [line, finding] pairs. */
function findingsIn(
  makeReader: (sink: LogSink, options: LogOptions) => LogReader,
  text: string,
  options: LogOptions = { param: 'q' },
): [number, Finding][] {
  const found: [number, Finding][] = []
  const reader = makeReader((finding, line) => found.push([line, finding]), options)
  text.split('\n').forEach((line, i) => {
    reader.read(line, i + 1)
  })
  reader.end()
  return found
}

/** The records alone. */
export function recordsIn(...args: Parameters<typeof findingsIn>): Finding[] {
  return findingsIn(...args)
    .map(([, finding]) => finding)
    .filter(({ kind }) => kind !== 'malformed' && kind !== 'unused')
}

/** What was malformed, as `line: reason`. */
export function malformedIn(...args: Parameters<typeof findingsIn>): string[] {
  return findingsIn(...args).flatMap(([line, finding]) =>
    finding.kind === 'malformed' ? [`${line}: ${finding.reason}`] : [],
  )
}

/** Why well-formed lines were left out. */
export function unusedIn(...args: Parameters<typeof findingsIn>): string[] {
  return findingsIn(...args).flatMap(([, finding]) =>
    finding.kind === 'unused' ? [finding.reason] : [],
  )
}
