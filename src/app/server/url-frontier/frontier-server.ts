import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { FrontierCrawls } from '#library/url-frontier/frontier-crawls.ts'
import { UsageError } from '../../text/usage-error.ts'
import { CallError, FrontierService } from './frontier-service.ts'
import { loadGrpc } from './load-grpc.ts'

interface FrontierServerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly mayDelete: boolean
}

interface FrontierServer extends AsyncDisposable {
  readonly port: number
}

/** A page of ten megabytes, as we would read one ourselves, and what is told of it. */
const MOST_MESSAGE_BYTES = 12 * 1024 * 1024
/** Clients that read no answers are not listened to for longer than this. */
const CLOSE_MS = 2_000

type Method = (request: never) => unknown

/** Serves the protocol of URL frontiers over crawls that plan. */
export async function startFrontierServer(
  crawls: FrontierCrawls,
  { host, port, mayDelete }: FrontierServerOptions,
): Promise<FrontierServer> {
  const { grpc, service } = await loadGrpc()
  const server = new grpc.Server({ 'grpc.max_receive_message_length': MOST_MESSAGE_BYTES })
  let bound = port
  const answers = new FrontierService(crawls, { mayDelete, address: () => `${host}:${bound}` })
  const faultOf = (error: unknown) => {
    const { message } = error as Error
    const code =
      error instanceof CallError ? grpc.status[error.fault] : (grpc.status.INTERNAL as number)
    return { code, details: message }
  }
  const handlers = Object.entries(service).map(([name, { requestStream, responseStream }]) => {
    const method = (request: unknown) =>
      (answers[name as keyof FrontierService] as Method).call(answers, request as never)
    if (requestStream) return [name, (call: Duplex) => void answerEach(call, method, faultOf)]
    if (responseStream) return [name, (call: Streaming) => void stream(call, method, faultOf)]
    return [name, (call: Unary, done: Done) => void answerOnce(call, method, done, faultOf)]
  })
  server.addService(service, Object.fromEntries(handlers))
  const credentials = grpc.ServerCredentials.createInsecure()
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, credentials, (error, free) =>
      error
        ? reject(new UsageError(`${address} cannot be listened on: ${error.message}`))
        : resolve(free),
    )
  })
  return {
    port: bound,
    async [Symbol.asyncDispose]() {
      const timer = setTimeout(() => server.forceShutdown(), CLOSE_MS)
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
      clearTimeout(timer)
    },
  }
}

type Fault = (error: unknown) => { readonly code: number; readonly details: string }
type Done = (error: ReturnType<Fault> | null, answer?: unknown) => void
type Unary = { readonly request: unknown }
type Streaming = Unary & Writable & { readonly cancelled: boolean }
type Duplex = Readable & Writable & { readonly cancelled: boolean }

async function answerOnce(
  { request }: Unary,
  method: (request: unknown) => unknown,
  done: Done,
  faultOf: Fault,
) {
  try {
    done(null, await method(request))
  } catch (error) {
    done(faultOf(error))
  }
}

/** Until more can be sent; throws if the client went away, as then that never is. */
async function drained(call: Streaming | Duplex): Promise<void> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  call.once('cancelled', leave)
  try {
    if (!call.cancelled) await once(call, 'drain', { signal: gone.signal })
  } finally {
    call.off('cancelled', leave)
  }
}

async function stream(call: Streaming, method: (request: unknown) => unknown, faultOf: Fault) {
  try {
    for await (const answer of method(call.request) as AsyncIterable<unknown>) {
      if (call.cancelled) return
      if (!call.write(answer)) await drained(call)
    }
    call.end()
  } catch (error) {
    if (!call.cancelled) call.emit('error', faultOf(error))
  }
}

/** One message after the other: whoever reads no answers sends no more, once the buffers are full. */
async function answerEach(call: Duplex, method: (request: unknown) => unknown, faultOf: Fault) {
  try {
    for await (const message of call) {
      if (!call.write(await method(message))) await drained(call)
    }
    call.end()
  } catch (error) {
    if (!call.cancelled) call.emit('error', faultOf(error))
  }
}
