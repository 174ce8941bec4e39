import { createInterface } from 'node:readline'
import { type Command, InvalidArgumentError } from 'commander'
import { garbageCollector } from '#fetch/bounds/garbage-collector.ts'
import { openBuckets } from '#library/buckets/buckets-crawl.ts'
import { runStep } from '#library/buckets/steps.ts'
import { PHASES, type Phase } from '#repository/buckets/buckets-folder.ts'
import { UsageError } from '../../text/usage-error.ts'
import { wholeNumber } from '../settings/options.ts'

/** The flags of `forager step`, and what it does. */
export function defineStep(command: Command): void {
  command
    .requiredOption('--dir <dir>', 'where the crawl in buckets is kept')
    .option('--epoch <n>', 'the epoch, if not every line says it', wholeNumber(1))
    .option('--phase <phase>', `what is to be done: ${PHASES.join(', ')}`, phaseNamed)
    .addHelpText(
      'after',
      `
Reads numbers of buckets from its input, one a line, makes the step of each, and prints the line when it is done. Without
an epoch and a phase, each line says them before the number. A step that was made before is not made again, so whoever runs steps may run them as often as they like, and anywhere.

Examples:
  forager epochs --dir big --next --json                        # which steps are to be made now
  echo 17 | forager step --dir big --epoch 3 --phase learn
  echo 3 learn 17 | forager step --dir big`,
    )
    .action(async ({ dir, epoch, phase }: { dir: string; epoch?: number; phase?: Phase }) => {
      const opened = openBuckets(dir)
      const collectGarbage = garbageCollector()
      collectGarbage()
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === '') continue
        const words = line.trim().split(/\s+/)
        const [itsEpoch, itsPhase] =
          words.length > 1 ? [wholeNumber(1)(words[0]), phaseNamed(words[1])] : [epoch, phase]
        if (itsEpoch === undefined || itsPhase === undefined)
          throw new UsageError(
            `"${line.trim()}" says no epoch and phase, and neither does the command`,
          )
        await runStep(opened, itsEpoch, itsPhase, Number(words.at(-1)))
        // A step knows its bucket no more: before the next one loads its own, or the memory of both would be held.
        collectGarbage()
        process.stdout.write(`${line.trim()}\n`)
      }
    })
}

function phaseNamed(text: string): Phase {
  const phase = PHASES.find((name) => name === text)
  if (!phase) throw new InvalidArgumentError(`It must be one of ${PHASES.join(', ')}.`)
  return phase
}
