import { Command } from 'commander'
import { expect, test } from 'vitest'
import { EXPERIMENTS } from './experiments.ts'

function flagsOf(name: string): (string | undefined)[] {
  const command = new Command()
  EXPERIMENTS[name].addFlags(command)
  return command.options.map(({ long }) => long)
}

test('every experiment takes policies of the user’s own, but for those in which nobody chooses what is fetched, and steps that other machines make', () => {
  const without = Object.keys(EXPERIMENTS).filter(
    (name) => !flagsOf(name).includes('--policy-file'),
  )
  expect(without).toEqual(['search', 'forecast', 'buckets', 'contexts'])
  for (const name of without) expect(flagsOf(name)).not.toContain('--policies')
})
