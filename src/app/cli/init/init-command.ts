import { existsSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { readSeeds } from '#library/open/seeds.ts'
import { isContact } from '#library/settings/identity.ts'
import { UsageError } from '../../text/usage-error.ts'
import { CONFIG_FILE } from '../settings/config-file.ts'
import { outputFor } from '../terminal/output.ts'
import { commentedConfig, type InitAnswers } from './commented-config.ts'

interface InitOptions {
  readonly out: string
  readonly force?: boolean
}

/** `forager init`: a few questions, and a commented configuration. */
export function defineInit(command: Command): void {
  command
    .option('--out <file>', 'the file to write', CONFIG_FILE)
    .option('--force', 'write it also where there is one')
    .addHelpText(
      'after',
      `
Example:
  forager init                               # asks, then writes ${CONFIG_FILE}`,
    )
    .action(runInit)
}

async function runInit(options: InitOptions): Promise<void> {
  const { out, force } = options
  if (existsSync(out) && !force)
    throw new UsageError(`${out} is there already: name another --out, or give --force`)
  const answers = await askAll()
  writeFileSync(out, commentedConfig(answers))
  const config = out === CONFIG_FILE ? '' : ` --config ${out}`
  const { queryLog, isService } = answers
  outputFor({}).result({ out }, () =>
    [
      `wrote ${out}. Next:`,
      ...(queryLog === '' || isService
        ? []
        : [`  forager queries import ${queryLog} --format csv${config}`]),
      `  forager ${isService ? 'run' : 'crawl'}${config}`,
      ...(isService ? [] : [`  forager serve --control${config}`]),
    ].join('\n'),
  )
}

/** Asks until each answer is one that can be used. */
async function askAll(): Promise<InitAnswers> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const given = lines[Symbol.asyncIterator]()
  /** The next line; an end of input is no answer. */
  const ask = async <T>(question: string, read: (text: string) => T | undefined): Promise<T> => {
    for (;;) {
      process.stderr.write(question)
      const { value, done } = await given.next()
      if (done) throw new UsageError('no more answers came: run forager init in a terminal')
      const answer = read(value.trim())
      if (answer !== undefined) return answer
      process.stderr.write('  That cannot be used. ')
    }
  }
  try {
    return {
      seed: await ask('Which site? (https://example.org/) ', seedIn),
      contact: await ask('Who can its owner write to? (a mail address or web page) ', (text) =>
        isContact(text) ? text : undefined,
      ),
      queryLog: await ask(
        'A log of what people search for? (a CSV file "query,count"; empty for none) ',
        (text) => text,
      ),
      isService: await ask('Crawl for good, as a service? (y/N) ', yesOrNo),
      budget: await ask('Fetches, in all or a day? (1000) ', (text) =>
        text === '' ? 1000 : wholeIn(text),
      ),
    }
  } finally {
    lines.close()
  }
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
