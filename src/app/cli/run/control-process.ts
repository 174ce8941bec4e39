import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Settings } from '#library/settings/settings.ts'
import { UsageError } from '../../text/usage-error.ts'

/** Where a search page and a control room are served, by a process of their own. */
interface ControlProcess {
  readonly url: string
  readonly controlUrl: string
  close(): Promise<void>
}

type Served = Pick<Settings, 'dir' | 'serve' | 'serveHost' | 'controlActions'>

/**
 * Serves the search page and the control room by `forager serve`, beside a crawl: what people look at is worked out
 * where it takes no time from fetching. It ends with this process, however that ends.
 */
export async function startControlProcess(
  { dir, serve, serveHost, controlActions }: Served,
  configFile?: string,
): Promise<ControlProcess> {
  const flags = [
    ...['serve', '--dir', dir, '--port', `${serve}`, '--host', serveHost, '--json', '--control'],
    ...(controlActions ? ['--control-actions'] : []),
    ...(configFile === undefined ? ['--no-config'] : ['--config', configFile]),
  ]
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1], ...flags], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = once(child, 'exit')
  const complaint = text(child.stderr!)
  const [said] = await Promise.race([once(child.stdout!, 'data'), ended.then(() => [])])
  if (said === undefined)
    throw new UsageError(
      (await complaint).replace(/^forager: /, '').trimEnd() || 'the control room ended',
    )
  const { url, controlUrl } = JSON.parse(String(said))
  child.unref()
  return {
    url,
    controlUrl,
    close: async () => {
      child.ref() // with nothing else left to wait for, this process would end amid its own end
      child.kill('SIGTERM')
      await ended
    },
  }
}
