import type { Instruction } from '#frontier/instructions.ts'
import type { Knowledge } from './knowledge.ts'

type Obeying = Pick<Knowledge, 'frontier' | 'scope' | 'indexer'>

/** Does what an operator told the crawl, as far as it is new. */
export function obey(all: readonly Instruction[], known: Obeying): void {
  const { instructed, urls } = known.frontier
  for (const told of instructed.take(all, urls)) {
    if (told.kind === 'fetch') ask(told.url, told.at, known)
    // One that was asked for again, and has come, has a new copy, which stays.
    if (told.kind === 'forget')
      forget(told.url, isAskedAgain(all, told) ? told.at : Infinity, known)
  }
}

/** An address that nobody knows is taken in, if it is in scope. */
function ask(address: string, at: number, { frontier, scope }: Obeying): void {
  const isWelcome = frontier.urls.find(address) !== undefined || scope(address, 0) === undefined
  if (isWelcome) frontier.instructed.ask(frontier.add(address, 'operator', 0, at), at)
}

/** Lets go of a copy that is not younger than that. */
function forget(address: string, youngest: number, { frontier, indexer }: Obeying): void {
  const url = frontier.urls.find(address)
  if (url === undefined) return
  frontier.instructed.forget(url)
  if (frontier.lastVisitOf(url) > youngest) return
  frontier.forget(url)
  indexer?.forget(url)
}

function isAskedAgain(all: readonly Instruction[], forgotten: { at: number; url: string }) {
  const { at, url } = forgotten
  return all.some((one) => one.kind === 'fetch' && one.url === url && one.at >= at)
}
