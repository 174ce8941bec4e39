import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { parseResolveRule } from '../wire/resolve-rules.ts'
import { FormPoster } from './post-form.ts'

async function startServer() {
  const forms: string[] = []
  const server = createServer(async (request, response) => {
    forms.push(`${request.method} ${request.headers.host} ${await text(request)}`)
    response.writeHead(202).end('taken')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { forms, port: (server.address() as AddressInfo).port }
}

const OPTIONS = { userAgent: 'test', connectMs: 2_000, totalMs: 5_000 }

test('a form is sent, and the status of its answer told', async () => {
  const { forms, port } = await startServer()
  const resolve = [parseResolveRule(`hub.test=127.0.0.1:${port}`)]
  await using poster = new FormPoster({ ...OPTIONS, resolve })
  const form = new URLSearchParams({ 'hub.mode': 'subscribe' })
  expect(await poster.post('https://hub.test/', form)).toEqual({ status: 202 })
  expect(forms).toEqual(['POST hub.test hub.mode=subscribe'])
})

test('no form goes to a private address, or to a port of another protocol', async () => {
  const { forms, port } = await startServer()
  await using poster = new FormPoster({ ...OPTIONS, resolve: [] })
  const form = new URLSearchParams()
  for (const hub of [`http://127.0.0.1:${port}/`, 'http://169.254.169.254/', 'http://a.org:25/'])
    expect(await poster.post(hub, form)).toHaveProperty('fault')
  expect(forms).toEqual([])
})
