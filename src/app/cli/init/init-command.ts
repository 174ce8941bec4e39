import { existsSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { UsageError } from '../../text/usage-error.ts'
import { CONFIG_FILE } from '../settings/config-file.ts'
import { outputFor } from '../terminal/output.ts'
import { askAll } from './ask-all.ts'
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
  const answers = await askInTerminal()
  writeFileSync(out, commentedConfig(answers))
  const config = out === CONFIG_FILE ? '' : ` --config ${out}`
  const { queryLog, isService } = answers
  outputFor({}).result({ out }, () =>
    [
      `wrote ${out}. Next:`,
      ...(queryLog === '' || isService
        ? []
        : [`  npx forager queries import ${queryLog} --format csv${config}`]),
      `  npx forager ${isService ? 'run' : 'crawl'}${config}`,
      ...(isService
        ? []
        : [
            `  npx forager serve --control${config}    # in a second terminal: the control room of the crawl`,
          ]),
    ].join('\n'),
  )
}

/** Asks in the terminal. */
async function askInTerminal(): Promise<InitAnswers> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await askAll(lines[Symbol.asyncIterator](), (text) => process.stderr.write(text))
  } finally {
    lines.close()
  }
}
