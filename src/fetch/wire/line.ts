import type { Socket } from 'node:net'
import type { Dispatcher, Client as UndiciClient } from 'undici'
import { NoiseError } from './failure-reason.ts'
import { InterimAnswers } from './interim-answers.ts'
import { Client } from './undici.ts'

/** Bytes around an answer's body: twice the longest headers. Beyond it they are a flood. */
const NOISE_BYTES = 128 * 1024
/** A long body may have a byte of noise for so many of its own: honest chunks and frames are larger. */
const BODY_PER_NOISE = 8
/** To be handed a packet, or a frame, costs as much as so many bytes of noise, however little is in it. */
const READ_BYTES = 16
/** How often bytes are looked at that never reach us: pings, or TLS records without content. */
const WATCH_MS = 50

/**
 * One client's socket, watched. The HTTP parser bounds headers, and we the body. But chunks or frames of
 * one byte, 1xx answers, pings, records of TLS and the like may go on for ever, at a processor's expense.
 */
export class Line {
  readonly #interim = new InterimAnswers()
  #socket: Socket | undefined
  /** Where bytes are counted as they come in, below TLS. */
  #wire: Socket | undefined
  #isHttp2 = false
  #readBefore = 0
  #reads = 0
  #bodyBytes = 0

  /** Takes a new socket; `wire` is the one that carries it, or the same. */
  watch(socket: Socket, wire: Socket, isHttp2: boolean): void {
    this.#socket = socket
    this.#wire = wire
    this.#isHttp2 = isHttp2
    this.begin()
    if (socket === wire && !isHttp2) resetWhenBroken(socket)
    if (!isHttp2) this.#readThrough(socket)
    const timer = setInterval(() => {
      if (this.#socket === socket) this.#check(socket.readableLength)
    }, WATCH_MS).unref()
    socket.once('close', () => clearInterval(timer))
  }

  /** A request starts. */
  begin(): void {
    this.#readBefore = this.#wire?.bytesRead ?? 0
    this.#reads = 0
    this.#bodyBytes = 0
    this.#interim.begin()
  }

  /** So many bytes of its answer's body came. */
  received(bytes: number): void {
    this.#bodyBytes += bytes
    if (!this.#isHttp2) return
    // With many small frames, a look from time to time would come too late.
    this.#reads++
    this.#check(0)
  }

  /** The parser of HTTP/1 takes its bytes by `read`: each piece is looked at before. */
  #readThrough(socket: Socket): void {
    const read = socket.read.bind(socket)
    socket.read = (size?: number) => {
      const piece: Buffer | null = read(size)
      if (piece === null) return null
      this.#reads++
      this.#interim.see(piece)
      return this.#check(piece.length) ? piece : null
    }
  }

  /** Hangs up on a flood. What is not parsed yet may still prove to be body. */
  #check(unparsedBytes: number): boolean {
    const received = this.#wire!.bytesRead - this.#readBefore - unparsedBytes
    const noise = received + READ_BYTES * this.#reads - this.#bodyBytes
    if (noise <= NOISE_BYTES + this.#bodyBytes / BODY_PER_NOISE) return true
    this.#socket!.destroy(new NoiseError('flood around the body'))
    return false
  }
}

/**
 * What is broken off is forgotten by the system, too: else a request that a broken network has swallowed would arrive
 * when that is mended, long after it was given up. Node can do so where there is no TLS.
 */
function resetWhenBroken(socket: Socket): void {
  const destroy = socket.destroy.bind(socket)
  let reason: Error | undefined
  socket.destroy = (error = reason) => {
    if (!error || reason || socket.destroyed) return destroy(error)
    reason = error
    return socket.resetAndDestroy() // comes here again, and knows why
  }
}

/** A handler that wants to know which line its request takes. */
export interface LineUser extends Dispatcher.DispatchHandler {
  take(line: Line): void
}

/** A client that tells each request's handler about its line. */
export class LineClient extends Client {
  readonly #line: Line

  constructor(origin: string | URL, options: UndiciClient.Options, line: Line) {
    super(origin, options)
    this.#line = line
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    ;(handler as LineUser).take(this.#line)
    return super.dispatch(options, handler)
  }
}
