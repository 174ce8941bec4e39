import type { Instruction } from '#frontier/instructions.ts'
import { instructionInbox } from '#repository/inbox/instruction-inbox.ts'
import { INSTRUCTIONS, storedInstructions } from '#repository/log/stored-rules.ts'
import type { CrawlStore } from '#repository/state/crawl-store.ts'

/** Takes in what operators have told a crawl since; gives all they ever told. Undefined if there was nothing new. */
export async function takeInInstructions(
  dir: string,
  store: CrawlStore,
  at: number,
): Promise<readonly Instruction[] | undefined> {
  const inbox = instructionInbox(dir)
  const left = inbox.waiting()
  if (left.length === 0) return undefined
  const before = storedInstructions(await store.settings())
  const all = [...before, ...left.map((told): Instruction => ({ at, ...told }))]
  await store.saveSetting(INSTRUCTIONS, JSON.stringify(all))
  inbox.taken()
  return all
}
