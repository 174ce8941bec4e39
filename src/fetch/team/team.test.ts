import { expect, onTestFinished, test } from 'vitest'
import { DomainOwners } from './domain-owners.ts'
import { Team } from './team.ts'

const WORKERS = 2
const owners = new DomainOwners(WORKERS)
const FAILURE = { kind: 'failure', reason: 'a test', sent: false } as const

/** A domain that this worker has. */
function hostOf(worker: number): string {
  for (let n = 0; ; n++) if (owners.ownerOf(`site${n}.test`) === worker) return `site${n}.test`
}

function teamMate(channel: string, own: number) {
  const heard: string[] = []
  const team = new Team(
    { channel, own, workers: WORKERS },
    {
      nudged: (group) => heard.push(`nudge ${group}`),
      lent: ({ origin }) => heard.push(`lent ${origin}`),
      getRobots: async (url) => {
        heard.push(`asked ${url.host}`)
        return FAILURE
      },
    },
  )
  onTestFinished(() => team.close())
  return { team, heard }
}

test('who begins later hears what was said before, in order', async () => {
  const first = teamMate('late', 0)
  const url = new URL(`http://${hostOf(1)}/robots.txt`)
  first.team.nudge(1, 'at 192.0.2.1')
  const answer = first.team.getRobots(url)
  const second = teamMate('late', 1)
  expect(await answer).toEqual(FAILURE)
  expect(second.heard).toEqual(['nudge at 192.0.2.1', `asked ${url.host}`])
  // And so does the other way.
  const back = new URL(`http://${hostOf(0)}/robots.txt`)
  expect(await second.team.getRobots(back)).toEqual(FAILURE)
  expect(first.heard).toEqual([`asked ${back.host}`])
})

test('a worker in place of one that is no more hears again what that was asked', async () => {
  const first = teamMate('replaced', 0)
  const gone = teamMate('replaced', 1)
  expect(await first.team.getRobots(new URL(`http://${hostOf(1)}/robots.txt`))).toEqual(FAILURE)
  gone.team.close()
  const answer = first.team.getRobots(new URL(`http://${hostOf(1)}/robots.txt`))
  const next = teamMate('replaced', 1)
  expect(await answer).toEqual(FAILURE)
  expect(next.heard).toHaveLength(1)
})
