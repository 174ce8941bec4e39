import type { Command } from 'commander'
import { addLazyCommands, type LazyCommand } from '../settings/lazy-commands.ts'

/** The commands of `forager lab`. */
export function defineLab(lab: Command, args: readonly string[]): Promise<void> {
  return addLazyCommands(lab, COMMANDS, args)
}

const COMMANDS: Readonly<Record<string, LazyCommand>> = {
  generate: {
    summary: 'write a model web: a synthetic web with a clock, queries, judgments and clicks',
    load: async () => (await import('./lab-generate.ts')).defineGenerate,
  },
  import: {
    summary:
      'make an archive of what a crawler recorded (WARC files, ours or anybody’s), or of a static site’s git history',
    load: async () => (await import('./lab-import.ts')).defineImport,
  },
  serve: {
    summary: 'replay a recorded web over HTTP on this machine, for all its hosts',
    takes: { '<dir>': 'the archive' },
    load: async () => (await import('./lab-serve.ts')).defineLabServe,
  },
  list: {
    summary: 'list experiments, policies, and the archives in the folders named',
    takes: {
      '[dirs...]': 'archives, or folders that hold some; if left out, the one you are in',
    },
    load: async () => (await import('./lab-list.ts')).defineList,
  },
  run: {
    summary: 'run an experiment on recorded webs',
    takes: { '[experiment]': 'one of the commands below; forager lab run selection --help' },
    load: async () => (await import('./lab-run.ts')).defineRun,
  },
  compare: {
    summary: 'show what changed from one result of an experiment to another',
    takes: {
      '<before>': 'a file written by forager lab run --out',
      '<after>': 'another, of the same experiment',
    },
    load: async () => (await import('./lab-compare.ts')).defineCompare,
  },
}
