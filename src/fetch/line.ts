import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'

/** More bytes than this around an answer's body are no protocol any more but a flood. */
const NOISE_BYTES = 256 * 1024
/** A chunk of one byte comes with five others. */
const NOISE_PER_BYTE = 8

/** The server sends on and on, and nothing of it is an answer. */
export class NoiseError extends Error {
  override readonly name = 'NoiseError'
}

/**
 * One client's socket, watched. The HTTP parser bounds headers, and we the body; but 1xx answers, status
 * lines, chunk extensions and the like may go on for ever, at a processor's expense.
 */
export class Line {
  #socket: Socket | undefined
  #readBefore = 0
  #bodyBytes = 0

  /** Takes a new socket; HTTP/2 keeps watch by itself. */
  watch(socket: Socket, isHttp2: boolean): void {
    this.#socket = isHttp2 ? undefined : socket
    if (!isHttp2) socket.on('readable', () => this.#check(socket))
    this.begin()
  }

  /** A request starts. */
  begin(): void {
    this.#readBefore = this.#socket?.bytesRead ?? 0
    this.#bodyBytes = 0
  }

  /** So many bytes of its answer's body came. */
  received(bytes: number): void {
    this.#bodyBytes += bytes
  }

  #check(socket: Socket): void {
    const noise = socket.bytesRead - this.#readBefore - this.#bodyBytes
    if (noise > NOISE_BYTES + NOISE_PER_BYTE * this.#bodyBytes)
      socket.destroy(new NoiseError('flood around the body'))
  }
}

/** A handler that wants to know which line its request takes. */
export interface LineUser extends Dispatcher.DispatchHandler {
  take(line: Line): void
}

/** A client that tells each request's handler about its line. */
export class LineClient extends Client {
  readonly #line: Line

  constructor(origin: string | URL, options: Client.Options, line: Line) {
    super(origin, options)
    this.#line = line
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    ;(handler as LineUser).take(this.#line)
    return super.dispatch(options, handler)
  }
}
