import { appendFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { HostTerms, Instruction } from '#frontier/instructions.ts'

/** An instruction as it is left in a directory. */
export type LeftInstruction = Instruction extends infer One
  ? One extends Instruction
    ? Omit<One, 'at'>
    : never
  : never

/** Where instructions lie until the crawl has taken them in. */
export const instructionFile = (dir: string) => join(dir, 'instructions.jsonl')
const takenFile = (dir: string) => `${instructionFile(dir)}.taken`

/** Leaves an instruction in a crawl's directory, whether it runs or not. */
export function leaveInstruction(dir: string, told: LeftInstruction): void {
  appendFileSync(instructionFile(dir), `${JSON.stringify(told)}\n`)
}

/**
 * The instructions that lie in a directory. They stay until `dropInstructions`, so that a kill loses none; one that is
 * taken in twice changes nothing.
 */
export function leftInstructions(dir: string): LeftInstruction[] {
  if (!existsSync(takenFile(dir)) && existsSync(instructionFile(dir)))
    renameSync(instructionFile(dir), takenFile(dir)) // whoever writes now begins another file
  return instructionsIn(takenFile(dir))
}

/** What no crawl has taken in yet, for whoever looks. */
export function waitingInstructions(dir: string): LeftInstruction[] {
  return [takenFile(dir), instructionFile(dir)].flatMap(instructionsIn)
}

function instructionsIn(file: string): LeftInstruction[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line) => instructionIn(line) ?? [])
}

export function dropInstructions(dir: string): void {
  rmSync(takenFile(dir), { force: true })
}

/** A line that cannot be understood, as a full disk may leave one, is left out. */
function instructionIn(line: string): LeftInstruction | undefined {
  try {
    const told = JSON.parse(line)
    const { kind, pattern, url, host } = told
    if (kind === 'exclude' || kind === 'readmit')
      return typeof pattern === 'string' ? { kind, pattern } : undefined
    if (kind === 'fetch' || kind === 'forget')
      return typeof url === 'string' ? { kind, url } : undefined
    if (kind === 'site' && typeof host === 'string') return { kind, host, ...termsIn(told) }
    return undefined
  } catch {
    return undefined
  }
}

function termsIn({ quietHours, ...told }: Record<string, unknown>): HostTerms {
  const numbers = ['delay', 'concurrency', 'maxPages', 'refreshAfter']
    .filter((name) => typeof told[name] === 'number')
    .map((name) => [name, told[name]])
  const isTexts = Array.isArray(quietHours) && quietHours.every((one) => typeof one === 'string')
  return { ...Object.fromEntries(numbers), ...(isTexts && { quietHours }) }
}
