import type { Command } from 'commander'

/** A command that help can list before anything of it is loaded. */
export interface LazyCommand {
  /** One line for `--help`. */
  readonly summary: string
  /** What is said beside flags, as commander writes it, and what that is. */
  readonly takes?: Readonly<Record<string, string>>
  /** Loads what gives the command its flags, and says what it does. */
  readonly load: () => Promise<(command: Command, args: readonly string[]) => unknown>
}

/**
 * Gives a command subcommands, of which only the one that the arguments name is loaded: to load all of them
 * takes a second.
 */
export async function addLazyCommands(
  parent: Command,
  commands: Readonly<Record<string, LazyCommand>>,
  args: readonly string[],
): Promise<void> {
  const named = args.findIndex((arg) => Object.hasOwn(commands, arg))
  for (const [name, { summary, takes = {}, load }] of Object.entries(commands)) {
    const command = parent.command(name).description(summary)
    for (const [term, meaning] of Object.entries(takes)) command.argument(term, meaning)
    if (name !== args[named]) continue
    const define = await load()
    await define(command, args.slice(named + 1))
  }
}
