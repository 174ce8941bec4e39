import { expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const dir = sharedFolder()

test('a seed that redirects out of scope is told of, with what would let it in', async () => {
  using site = await startScriptedSite({
    '/far': (_, response) => response.writeHead(302, { location: '/' }).end(),
    '/': ({ headers }, response) => {
      if (headers.host === 'new.example') html('<title>Here</title>here')({} as never, response)
      else response.writeHead(301, { location: 'http://new.example/' }).end()
    },
  })
  const flags = ['--resolve', site.resolve, '--delay', '0', '--no-sitemaps', '--policy', 'bfs']
  const crawl = (...args: string[]) =>
    forager('crawl', ...args, '--dir', dir, ...flags, '--budget', '5')
  const told =
    "redirects to http://new.example/, which is out of scope (outside the seeds' host): name that as a seed too, or begin another --dir with --scope anywhere"

  const { stderr, code } = await crawl('http://old.example/', '--scope', 'host')
  expect([stderr.trim(), code]).toEqual([`the seed http://old.example/ ${told}`, 0])
  const status = await forager('status', '--dir', dir)
  expect(status.stdout.split('\n')).toContain(`the seed http://old.example/ ${told}`)
  const why = await forager('explain', 'http://old.example/', '--dir', dir, '--json')
  expect(JSON.parse(why.stdout).heldBackBy).toContainEqual({ kind: 'scope', text: `it ${told}` })

  const chain = await crawl('http://old.example/far')
  expect(chain.stderr).toContain(`the seed http://old.example/far ${told}`)

  const again = await crawl('http://new.example/')
  expect(again.stderr).not.toMatch(/out of scope/)
  expect(JSON.parse((await forager('status', '--dir', dir, '--json')).stdout)).toMatchObject({
    states: { page: 1 },
  })
})
