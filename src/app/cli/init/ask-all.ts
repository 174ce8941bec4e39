import { existsSync } from 'node:fs'
import { readSeeds } from '#library/open/seeds.ts'
import { isContact } from '#library/settings/identity.ts'
import { UsageError } from '../../text/usage-error.ts'
import type { InitAnswers } from './commented-config.ts'

/** Asks until each answer is one that can be used. */
export async function askAll(
  given: AsyncIterator<string>,
  say: (text: string) => void,
): Promise<InitAnswers> {
  /** An end of input is no answer. */
  const ask = async <T>(
    question: string,
    read: (text: string) => T | undefined,
    wanted: string,
  ): Promise<T> => {
    for (;;) {
      say(question)
      const { value, done } = await given.next()
      if (done) throw new UsageError('no more answers came: run forager init in a terminal')
      const answer = read(value.trim())
      if (answer !== undefined) return answer
      say(`  That cannot be used: ${wanted}.\n`)
    }
  }
  const seed = await ask('Which site? ', seedIn, 'an address is wanted, as in https://example.org/')
  const contact = await ask(
    'Whom can owners of sites write to, a mail address or a web page? ',
    (text) => (isContact(text) ? text : undefined),
    'every request names it, as in you@example.org or https://your.site/bot',
  )
  const queryLog = await ask(
    'A log of what people search for, a CSV file "query,count"? (none) ',
    (text) => (text === '' || existsSync(text) ? text : undefined),
    'there is no such file; leave it empty if there is no log yet',
  )
  const isService = await ask('Crawl for good, as a service? (y/N) ', yesOrNo, 'y or n is wanted')
  const budget = await ask(
    isService ? 'Fetches a day? (1000) ' : 'Fetches in all? (1000) ',
    (text) => (text === '' ? 1000 : wholeIn(text)),
    'a whole number above 0 is wanted',
  )
  return { seed, contact, queryLog, isService, budget }
}

function seedIn(text: string): string | undefined {
  try {
    return readSeeds([text])[0]
  } catch {
    return undefined
  }
}

function yesOrNo(text: string): boolean | undefined {
  if (/^(?:n|no)?$/i.test(text)) return false
  return /^(?:y|yes)$/i.test(text) ? true : undefined
}

function wholeIn(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
