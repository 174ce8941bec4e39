import { main } from '#app/cli/main.ts'

/** One command of the command line, as `--help` tells of it. */
export interface CommandHelp {
  /** The words after `forager`; empty for the program itself. */
  readonly words: readonly string[]
  readonly help: string
  readonly flags: ReadonlySet<string>
}

/** Every command with its help, the program itself first, as the command line prints it. */
export async function readCommandHelp(words: readonly string[] = []): Promise<CommandHelp[]> {
  const help = await printedHelp(words)
  const here = { words, help, flags: flagsIn(help) }
  const below: CommandHelp[] = []
  for (const name of subcommandsIn(help)) below.push(...(await readCommandHelp([...words, name])))
  return [here, ...below]
}

/**
 * What `--help` prints, in lines as wide as where the output is no terminal, so that the page does not depend
 * on who writes it. What `main` listens to while it runs is given back.
 */
async function printedHelp(words: readonly string[]): Promise<string> {
  const { write, isTTY } = process.stdout
  const pieces: string[] = []
  const before = listeners()
  process.stdout.write = (piece: unknown) => pieces.push(String(piece)) > 0
  process.stdout.isTTY = false
  try {
    await main(['node', 'forager', ...words, '--help'])
  } finally {
    Object.assign(process.stdout, { write, isTTY })
    for (const [emitter, event, listener] of listeners())
      if (!before.some(([, , known]) => known === listener)) emitter.off(event, listener)
  }
  return pieces.join('').trimEnd()
}

type Listener = (...args: unknown[]) => void

function listeners(): [NodeJS.EventEmitter, string, Listener][] {
  const heard: [NodeJS.EventEmitter, string][] = [
    [process.stdout, 'error'],
    [process.stderr, 'error'],
    [process, 'uncaughtException'],
  ]
  return heard.flatMap(([emitter, event]) =>
    emitter
      .listeners(event)
      .map((listener): [NodeJS.EventEmitter, string, Listener] => [
        emitter,
        event,
        listener as Listener,
      ]),
  )
}

function flagsIn(help: string): ReadonlySet<string> {
  return new Set([...help.matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z-]*)/gm)].map(([, flag]) => flag))
}

/** Names stand at the beginning of lines below "Commands:", indented by two. */
function subcommandsIn(help: string): string[] {
  const [, list = ''] = help.split(/^Commands:$/m)
  const [ownList] = list.split(/\n\n/)
  return [...ownList.matchAll(/^ {2}([a-z][\w-]*)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help')
}
