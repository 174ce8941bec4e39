import type { Command } from 'commander'
import { makeModelWeb } from '../../experiments/running/make-model-web.ts'
import { wholeNumber } from '../settings/options.ts'
import { duration, outputFor } from '../terminal/output.ts'

interface GenerateOptions {
  seed: number
  pages: number
  weeks: number
  out: string
  replace?: boolean
  json?: boolean
}

/** The flags of `forager lab generate`, and what it does. */
export function defineGenerate(command: Command): void {
  command
    .option('--out <dir>', 'folder for the archive', 'modelweb')
    .option('--seed <n>', 'the same seed gives the same bytes', wholeNumber(0), 1)
    .option('--pages <n>', 'pages ever seen, 500 or more', wholeNumber(500), 5000)
    .option('--weeks <n>', 'weekly snapshots', wholeNumber(1), 26)
    .option('--replace', 'replace an archive that is there already')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      `
Example:
  forager lab generate --seed 7 --pages 20000 --weeks 26 --out modelweb`,
    )
    .action(runGenerate)
}

async function runGenerate(options: GenerateOptions): Promise<void> {
  const output = outputFor(options)
  const { seed, pages, weeks, out } = options
  const startedAt = performance.now()
  const { queries } = await makeModelWeb(out, options)
  const seconds = (performance.now() - startedAt) / 1000
  output.result({ out, seed, pages, weeks, queries, seconds }, () =>
    [
      `wrote ${pages.toLocaleString('en')} pages over ${weeks} weeks and ${queries.toLocaleString('en')} queries to ${out} (${duration(seconds)})`,
      `Try: forager lab run selection --archive ${out}   or: forager lab serve ${out}`,
    ].join('\n'),
  )
}
