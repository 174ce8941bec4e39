import { connect, createServer, type Socket } from 'node:net'

/** A line to the database that can be cut: what is sent meanwhile is swallowed, as by a network that is broken. */
export interface CuttableLine {
  readonly port: number
  cut(): void
  mend(): void
  close(): void
}

export async function cuttableLine(socketPath: string, host = '127.0.0.1'): Promise<CuttableLine> {
  const open = new Set<Socket>()
  let isCut = false
  const join = (from: Socket, to: Socket) => {
    open.add(from)
    from.on('error', () => to.destroy())
    from.on('close', () => {
      open.delete(from)
      to.destroy()
    })
    from.on('data', (bytes) => to.write(bytes))
    if (isCut) from.pause()
  }
  const server = createServer((near) => {
    const far = connect(socketPath)
    join(near, far)
    join(far, near)
  })
  await new Promise<void>((done) => server.listen(0, host, done))
  return {
    port: (server.address() as { port: number }).port,
    cut: () => {
      isCut = true
      for (const socket of open) socket.pause()
    },
    mend: () => {
      isCut = false
      // Packets of then are long lost: connections that were cut are broken, as after a time-out.
      for (const socket of open) socket.destroy()
    },
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
