import type { Command } from 'commander'
import { POLICIES } from '#policy/policies.ts'

/** The best of those available that measures well everywhere; see docs/results. */
export const DEFAULT_POLICY = 'pagerank'

export function policyOption(command: Command): Command {
  const names = Object.keys(POLICIES).join(', ')
  return command.option('--policy <name>', `what to fetch first: ${names}`, DEFAULT_POLICY)
}
