import { type CommandHelp, readCommandHelp } from './command-help.ts'

const INTRO = `# Commands

<!-- Made by scripts/write-commands-page.ts from the command line's own help: change that, then run it. -->

Every command as \`--help\` shows it. Settings that several commands share are explained on the
[configuration page](configuration.md). Results go to stdout, everything else to stderr. \`--json\` prints
results for programs. Exit codes: 0 well, 1 failed, 2 you should change something (one line says what).
`

/** The text of docs/reference/commands.md: every command's help, in the order of the program's own. */
export async function commandsPage(): Promise<string> {
  const sections = (await readCommandHelp()).map(sectionOf)
  return `${[INTRO.trimEnd(), ...sections].join('\n\n')}\n`
}

function sectionOf({ words, help }: CommandHelp): string {
  return [`## ${['forager', ...words].join(' ')}`, '', '```text', help, '```'].join('\n')
}
