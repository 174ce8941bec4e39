/** One thing a query log tells. Times are seconds since 1970. */
export type LogRecord = AskedRecord | ClickRecord | JudgedRecord

/** A query was asked, `count` times. */
export interface AskedRecord {
  readonly kind: 'asked'
  readonly text: string
  readonly count: number
  readonly at?: number
  /** Who asked, if the log tells clients apart. */
  readonly client?: string
  /** What other records of the log call this query. */
  readonly name?: string
  /** Canonical URLs of the results shown, in the order of their ranks; empty where one is no URL. */
  readonly results?: readonly string[]
}

/** A result was chosen, `count` times. */
export interface ClickRecord {
  readonly kind: 'click'
  /** Either the query's text or the name that an asked record gave it. */
  readonly text?: string
  readonly name?: string
  readonly url: string
  readonly count: number
  readonly at?: number
  /** 1 is the top; an average where the log has only that. */
  readonly rank?: number
}

/** An assessor graded a result. */
export interface JudgedRecord {
  readonly kind: 'judged'
  readonly name: string
  readonly url: string
  readonly grade: number
}

/** Something malformed: told to the user with its line. */
export interface Malformed {
  readonly kind: 'malformed'
  readonly reason: string
}

/** Something well-formed that is no use here, such as a robot's request: counted only. */
export interface Unused {
  readonly kind: 'unused'
  readonly reason: string
}

export type Finding = LogRecord | Malformed | Unused

/** Where a reader's findings go; `line` is where what it tells of begins, from 1. */
export type LogSink = (finding: Finding, line: number) => void

export function malformed(reason: string): Malformed {
  return { kind: 'malformed', reason }
}

export function unused(reason: string): Unused {
  return { kind: 'unused', reason }
}

/** Reads one log, line by line. What it cannot read it skips, and goes on. */
export interface LogReader {
  read(text: string, line: number): void
  /** The log is over. */
  end(): void
}

export interface LogOptions {
  /** Access logs: the parameter of a search URL that holds the query. */
  readonly param: string
}
