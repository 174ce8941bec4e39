import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startEndlessSite } from './endless-site.ts'
import { forager, startForager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const { archive, inFolder } = modelWebFolder(3)

test('a crawl can be planned, run, looked at and gone on with', async () => {
  const dir = inFolder('crawl')
  const args = ['crawl', '--archive', archive, '--dir', dir, '--json']
  const first = await forager(...args, '--budget', '60')
  expect(first.code).toBe(0)
  expect(JSON.parse(first.stdout)).toMatchObject({ end: 'budget spent', spent: 60, fetchedNow: 60 })

  const byLinks = ['plan', '--policy', 'pagerank', '--dir', dir, '--fetches', '5', '--json']
  const plan = JSON.parse((await forager(...byLinks)).stdout)
  expect(plan.fetches.length).toBe(5)
  expect(plan.fetches[0]).toMatchObject({
    purpose: 'acquire',
    why: expect.stringMatching(/PageRank/),
  })

  const again = JSON.parse((await forager(...args, '--budget', '60')).stdout)
  expect(again).toMatchObject({ end: 'budget spent', spent: 60, fetchedNow: 0 })

  const more = JSON.parse((await forager(...args, '--budget', '100')).stdout)
  expect(more).toMatchObject({ spent: 100, fetchedNow: 40 })

  const status = JSON.parse((await forager('status', '--dir', dir, '--json')).stdout)
  expect(status).toMatchObject({ spent: 100, known: more.known })
  expect((await forager('status', '--dir', dir)).stdout).toMatch(/100 fetches/)
  const config = inFolder('more.json')
  writeFileSync(config, JSON.stringify({ budget: '+7' }))
  for (const spent of [107, 114])
    expect(JSON.parse((await forager(...args, '--config', config)).stdout)).toMatchObject({
      ...{ end: 'budget spent', spent, budget: spent, fetchedNow: 7 },
    })
})

test('Ctrl-C stops cleanly, and the next run goes on; meanwhile others see how far it is', async () => {
  const dir = inFolder('stopped')
  let asked = 0
  let onEnough = () => {}
  const enough = new Promise<void>((resolve) => {
    onEnough = resolve
  })
  const site = await startEndlessSite(() => {
    if (++asked === 60) onEnough()
  })
  const args = [
    'crawl',
    'http://h0.test/0',
    '--dir',
    dir,
    '--delay',
    '0.02',
    '--resolve',
    site.resolve,
    '--json',
  ]
  const { child, ended } = startForager([...args, '--budget', '100000'])
  await enough
  const rival = await forager(...args, '--budget', '5')
  expect(rival.code).toBe(2)
  expect(rival.stderr).toMatch(/in use by another process \(PID \d+\)/)
  const running = JSON.parse((await forager('status', '--dir', dir, '--json')).stdout)
  expect(running.running).toMatchObject({ pid: child.pid, budget: 100000 })
  child.kill('SIGINT')
  const first = await ended
  expect(first.code).toBe(0)
  const stopped = JSON.parse(first.stdout)
  expect(stopped.end).toBe('stopped')
  expect(stopped.spent).toBe(asked)
  const next = JSON.parse((await forager(...args, '--budget', String(stopped.spent + 10))).stdout)
  expect(next).toMatchObject({ end: 'budget spent', fetchedNow: 10 })
  site.close()
})

test('a crawl goes on with the scope it was begun with, or not at all', async () => {
  const args = ['crawl', '--archive', archive, '--dir', inFolder('scoped'), '--policy', 'bfs']
  expect((await forager(...args, '--budget', '5', '--scope', 'domain')).code).toBe(0)
  const narrower = await forager(...args, '--budget', '10', '--scope', 'host')
  expect(narrower.code).toBe(2)
  expect(narrower.stderr).toMatch(/begun with --scope domain/)
  expect((await forager(...args, '--budget', '10')).code).toBe(0)
})

test('status names the policy that crawled last, not one that was refused', async () => {
  const dir = inFolder('refused')
  const args = ['crawl', '--archive', archive, '--dir', dir, '--no-index']
  const policyNow = async () =>
    JSON.parse((await forager('status', '--dir', dir, '--json')).stdout).policy
  expect((await forager(...args, '--policy', 'bfs', '--budget', '5')).code).toBe(0)
  const refused = await forager(...args, '--policy', 'unified', '--budget', '10')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toMatch(/--policy unified .* needs the index/)
  expect(await policyNow()).toBe('bfs')
  expect((await forager(...args, '--policy', 'random', '--budget', '10')).code).toBe(0)
  expect(await policyNow()).toBe('random')
})

test('every command explains itself with an example', async () => {
  const commands = [
    [],
    ['crawl'],
    ['plan'],
    ['explain'],
    ['status'],
    ['fetch'],
    ['pause'],
    ['resume'],
    ['stop'],
    ['demo'],
    ['search'],
    ['serve'],
    ['queries'],
    ['queries', 'import'],
    ['queries', 'export'],
    ['queries', 'list'],
    ['queries', 'needy'],
    ['lab', 'generate'],
    ['lab', 'serve'],
    ['lab', 'list'],
    ['lab', 'run'],
  ]
  const helps = await Promise.all(commands.map((command) => forager(...command, '--help')))
  for (const [i, { code, stdout }] of helps.entries()) {
    expect(code).toBe(0)
    expect(stdout, commands[i].join(' ')).toMatch(/Examples?:\n {2}forager/)
  }
})

test('help says what commands take beside flags', async () => {
  const listed = (help: string) =>
    [...help.matchAll(/^ {2}([a-z]+)((?: [<[][a-z.]+[>\]])+) {2}/gm)].filter(
      ([, name]) => name !== 'help',
    )
  const ways = [[], ['lab'], ['queries']]
  const helps = await Promise.all(ways.map((way) => forager(...way, '--help')))
  const commands = helps.flatMap(({ stdout }, i) =>
    listed(stdout.replaceAll('[options] ', '')).map(([, name, takes]) => ({
      words: [...ways[i], name],
      takes,
    })),
  )
  expect(commands.map(({ words, takes }) => words.join(' ') + takes)).toEqual([
    'crawl [seeds...]',
    'run [seeds...]',
    'epochs [seeds...]',
    'explain <url>',
    'fetch <url>',
    'search <words...>',
    'export <what>',
    'lab serve <dir>',
    'lab list [dirs...]',
    'lab run [experiment]',
    'lab compare <before> <after>',
    'queries import <file...>',
  ])
})
