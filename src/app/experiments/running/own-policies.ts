import { type Command, Option } from 'commander'
import { withNames } from '#errors/setting-error.ts'
import { readPolicyFiles } from '#library/open/policy-file.ts'
import type { Bidder } from '#policy/bidder.ts'
import { PURPOSES, type Purpose } from '#policy/bids.ts'
import type { FactName } from '#policy/facts/facts.ts'
import { checkedPolicy, policyList, renameNote } from '#policy/registry/policy-name.ts'
import { type Registry, renamedTo } from '#policy/registry/registry.ts'
import { flagOf } from '../../cli/settings/complaint.ts'
import { several } from '../../cli/settings/options.ts'
import { outputFor } from '../../cli/terminal/output.ts'
import { UsageError } from '../../text/usage-error.ts'

/** The flags that say which policies to compare. */
export interface PolicyFlags {
  readonly policies?: string
  readonly policyFile?: readonly string[]
}

/** `--policy-file`, as every experiment that compares policies has it. */
export function policyFileFlag(): Option {
  return new Option(
    '--policy-file <file>',
    'a policy of your own in TypeScript or JavaScript, run as code; may be repeated',
  ).argParser(several)
}

/** Both flags; `usual` says what is compared if none is named. */
export function addPolicyFlags(command: Command, usual: string): Command {
  return command
    .option('--policies <names>', `policies to compare, separated by commas (default: ${usual})`)
    .addOption(policyFileFlag())
}

/** The policies of whole crawls that flags name, checked; `usual` as users would type them. */
export async function crawlPolicies(flags: PolicyFlags, usual: string) {
  const compared = await comparedPolicies(flags, policyList(usual), { tasks: PURPOSES })
  for (const name of compared.names) checkedPolicy(name, 'policies', compared.registry)
  return compared
}

/** What an experiment can do with a policy of the user's own. */
interface PolicyUse {
  readonly tasks: readonly Purpose[]
  /** The facts there are; all if left out. */
  readonly facts?: readonly FactName[]
}

/** The policies that flags name, those of the user's own files last; `usual` if none is named. */
export async function comparedPolicies(
  { policies, policyFile }: PolicyFlags,
  usual: readonly string[],
  use: PolicyUse,
): Promise<{ registry: Registry; names: string[] }> {
  const note = (text: string) => outputFor({}).note(withNames(text, flagOf))
  const { registry, own } = await readPolicyFiles(policyFile, note)
  for (const bidder of own) checkUse(bidder, use)
  const named =
    policies === undefined ? usual : policyList(policies).map((name) => current(name, note))
  const names = [...new Set([...named, ...own.map(({ name }) => name)])]
  if (names.length === 0 && usual.length > 0)
    throw new UsageError(`--policies names none: try ${usual.slice(0, 3).join(',')}`)
  return { registry, names }
}

/** A bidder's name as it is now; the user is told if it was another one. */
function current(name: string, note: (text: string) => void): string {
  const renamed = renameNote(name)
  if (renamed !== undefined) note(renamed)
  return renamedTo(name) ?? name
}

/** Complains about a policy that an experiment can do nothing with. */
function checkUse({ name, task, needs }: Bidder, { tasks, facts }: PolicyUse): void {
  if (!tasks.includes(task))
    throw new UsageError(
      `--policy-file: ${name} bids to ${task}, and this experiment compares who bids to ${tasks.join(' or ')}`,
    )
  const unknown = facts ? needs.filter((need) => !facts.includes(need)) : []
  if (unknown.length > 0)
    throw new UsageError(
      `--policy-file: ${name} needs ${unknown.join(', ')}, which nobody knows in this experiment; known are ${facts?.join(', ')}`,
    )
}
