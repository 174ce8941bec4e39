import { connect, type Socket } from 'node:net'
import { SettingError } from '#errors/setting-error.ts'
import { TimeoutError } from './failure-reason.ts'

/** An HTTP proxy: https goes through it in a tunnel, http is handed to it. */
export interface HttpProxy {
  /** As a socket wants it: IPv6 without brackets. */
  readonly address: string
  readonly port: number
  /** For Proxy-Authorization, when the URL names a user. */
  readonly authorization?: string
}

/** No proxy's answer to CONNECT is longer. */
const MAX_HEAD_BYTES = 16_384

/** The proxy that a `proxy` value names. */
export function parseProxy(text: string): HttpProxy {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || url.hostname === '' || url.pathname !== '/' || url.search)
    throw new SettingError(
      'proxy',
      `{proxy} "${text}" is not understood: write it as 'http://HOST:PORT' or 'http://USER:PASSWORD@HOST:PORT'`,
    )
  const user = decodeURIComponent(url.username)
  const login = `${user}:${decodeURIComponent(url.password)}`
  return {
    address: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || 80,
    ...(user && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  }
}

/** A socket to the proxy that leads to `hostAndPort` from its first byte on. */
export function openTunnel(
  proxy: HttpProxy,
  hostAndPort: string,
  timeoutMs: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: proxy.address, port: proxy.port })
    let head = Buffer.alloc(0)
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.on('error', () => {}).destroy()
      reject(error)
    }
    const onClose = () => fail(new Error('proxy closed the connection'))
    const onData = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) {
        if (head.length > MAX_HEAD_BYTES) fail(new Error('proxy does not speak HTTP'))
        return
      }
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, end))?.[1]
      if (status === undefined) return fail(new Error('proxy does not speak HTTP'))
      if (!status.startsWith('2')) return fail(new Error(`proxy answers ${status}`))
      clearTimeout(timer)
      socket.off('data', onData).off('error', fail).off('close', onClose).pause()
      if (head.length > end + 4) socket.unshift(head.subarray(end + 4))
      resolve(socket)
    }
    const timer = setTimeout(() => fail(new TimeoutError('connect timeout')), timeoutMs)
    const login = proxy.authorization ? `Proxy-Authorization: ${proxy.authorization}\r\n` : ''
    socket.on('error', fail).on('close', onClose).on('data', onData)
    socket.write(`CONNECT ${hostAndPort} HTTP/1.1\r\nHost: ${hostAndPort}\r\n${login}\r\n`)
  })
}
