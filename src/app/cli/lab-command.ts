import type { Command } from 'commander'
import { addCompareCommand } from './lab-compare.ts'
import { addGenerateCommand } from './lab-generate.ts'
import { addImportCommand } from './lab-import.ts'
import { addListCommand } from './lab-list.ts'
import { addRunCommand } from './lab-run.ts'
import { addServeCommand } from './lab-serve.ts'

export function addLabCommand(program: Command): void {
  const lab = program
    .command('lab')
    .description('recorded webs: make, replay and judge policies on them')
  addGenerateCommand(lab)
  addImportCommand(lab)
  addServeCommand(lab)
  addListCommand(lab)
  addRunCommand(lab)
  addCompareCommand(lab)
}
