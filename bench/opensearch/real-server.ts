import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as moment } from 'node:timers/promises'

const HERE = import.meta.dirname

/** A real OpenSearch server, put together from Maven Central; needs `java` (17 or later), `javac` and `mvn`. */
export class RealServer {
  readonly port: number
  readonly #folder: string
  #child: ChildProcess | undefined

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.port = port
  }

  static async make(folder: string): Promise<RealServer> {
    mkdirSync(join(folder, 'home', 'config'), { recursive: true })
    cpSync(join(HERE, 'pom.xml'), join(folder, 'pom.xml'))
    const run = (program: string, ...args: string[]) =>
      execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    run('mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib')
    run('javac', '-cp', 'lib/*', '-d', '.', join(HERE, 'OpenSearchServer.java'))
    return new RealServer(folder, await freePort())
  }

  /** Comes back when it answers. */
  async start(): Promise<void> {
    const args = ['-Xmx1g', '-cp', 'lib/*:.', 'OpenSearchServer', 'home', String(this.port)]
    this.#child = spawn('java', args, { cwd: this.#folder, stdio: 'ignore' })
    while (!(await fetch(`http://127.0.0.1:${this.port}/`).catch(() => undefined))?.ok)
      await moment(200)
  }

  /** Without a word beforehand. */
  async kill(): Promise<void> {
    if (!this.#child) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
    this.#child = undefined
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
