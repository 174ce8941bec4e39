import type { LogReader } from './log-record.ts'

/** A reader for exports that come as JSON or as a table: the first line that says anything tells which. */
export function byFirstLine(asJson: () => LogReader, asTable: () => LogReader): LogReader {
  let reader: LogReader | undefined
  return {
    read: (text, line) => {
      if (reader === undefined && text.trim() === '') return
      reader ??= /^\s*[[{]/.test(text) ? asJson() : asTable()
      reader.read(text, line)
    },
    end: () => reader?.end(),
  }
}
