/**
 * Follows deploy/Dockerfile without a container engine: every step is done in a folder that stands for the image's
 * root, then the command runs as somebody who may write nothing but the data folder.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Instruction, readDockerfile } from './read-dockerfile.ts'

const NOBODY = 65_534
const root = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'forager-image-'))
const node = join(process.execPath, '..')

/** The folders of the stages, by name; the last has none. */
const stages = new Map<string, string>()
let stage = ''
let cwd = '/'
let user = 'root'

try {
  const instructions = readDockerfile(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))
  for (const instruction of instructions) follow(instruction)
  await tryCommand(instructions)
  console.log('the image works, as far as it can be told without an engine')
} finally {
  execFileSync('chmod', ['-R', 'u+w', work])
  rmSync(work, { recursive: true, force: true })
}

function follow({ name, words, text }: Instruction): void {
  if (name === 'FROM') {
    stage = join(work, words[2] ?? 'image')
    stages.set(words[2] ?? 'image', stage)
    for (const folder of ['tmp', 'usr/local', 'root']) mkdirSync(join(stage, folder), { recursive: true }) // biome-ignore format: one line
    cwd = '/'
  }
  if (name === 'WORKDIR') cwd = resolve(cwd, words[0])
  if (name === 'WORKDIR') mkdirSync(inStage(cwd), { recursive: true })
  if (name === 'COPY') copy(words)
  if (name === 'USER') user = words[0]
  if (name === 'RUN') run(text)
}

function copy(words: readonly string[]): void {
  const from = words[0].startsWith('--from=') ? stages.get(words[0].slice(7))! : root
  const [target, ...sources] = words.filter((word) => !word.startsWith('--')).reverse()
  const to = inStage(resolve(cwd, target))
  mkdirSync(join(to, target.endsWith('/') ? '.' : '..'), { recursive: true })
  for (const source of sources)
    cpSync(join(from, source), target.endsWith('/') ? join(to, source) : to, { recursive: true })
}

/** Absolute paths are those of the stage; `node:node` is whoever runs this. */
function run(command: string): void {
  const here = command
    .replaceAll(/(?<=\s)\/(?=[a-z])/g, `${stage}/`)
    .replaceAll('chown node:node', 'chown nobody')
  console.log(`RUN ${command}`)
  const env = { PATH: `${node}:/usr/bin:/bin`, HOME: inStage('/root'), npm_config_prefix: inStage('/usr/local'), npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? '/root', '.npm') } // biome-ignore format: one object
  const npmrc = process.env.NPM_CONFIG_USERCONFIG ?? join(process.env.HOME ?? '/root', '.npmrc')
  execFileSync('sh', ['-c', here.replace('&& npm cache clean --force', '')], {
    cwd: inStage(cwd),
    env: { ...process.env, ...env, NPM_CONFIG_USERCONFIG: npmrc },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function inStage(path: string): string {
  return join(stage, path)
}

/** Runs ENTRYPOINT and CMD as nobody over a read-only tree, asks HEALTHCHECK, and stops it. */
async function tryCommand(instructions: readonly Instruction[]): Promise<void> {
  if (user === 'root' || user === '0') throw new Error('the image runs as root')
  const listOf = (name: string) => instructions.findLast((one) => one.name === name)!.list!
  const site = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(url === '/robots.txt' ? '' : '<title>a heron</title>')
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  const { port } = site.address() as AddressInfo
  const config = { seeds: ['http://a.test/'], http: { resolve: [`*=127.0.0.1:${port}`] } }
  mkdirSync(inStage('/etc/forager'), { recursive: true })
  writeFileSync(inStage('/etc/forager/forager.json'), JSON.stringify(config))
  execFileSync('chmod', ['-R', 'a-w,a+rX', stage])
  for (let folder = stage; folder !== tmpdir(); folder = join(folder, '..'))
    chmodSync(folder, 0o555)
  for (const folder of ['/data', '/tmp']) chmodSync(inStage(folder), 0o777)
  if (process.getuid?.() === 0) chownSync(inStage('/data'), NOBODY, NOBODY)
  const args = listOf('CMD').map((word) => (word.startsWith('/') ? inStage(word) : word))
  const ports = new Map([['8080', '0'], ['9464', '0']]) // biome-ignore format: one list
  const [entry] = globSync(inStage(`/usr/local/bin/${listOf('ENTRYPOINT')[0]}`))
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const env = { PATH: `${node}:/usr/bin:/bin`, HOME: inStage('/data'), TMPDIR: inStage('/tmp') }
  const how = { cwd: inStage('/data'), env, ...identity }
  const child = spawn(entry, args.map((word) => ports.get(word) ?? word), how) // biome-ignore format: one call
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  const ended = once(child, 'close')
  const place = await Promise.race([until(() => /metrics: (\S+)metrics/.exec(said)?.[1]), ended])
  if (typeof place !== 'string') throw new Error(`it ended: ${said}`)
  const health = listOf('HEALTHCHECK').map((word) => word.replace('http://127.0.0.1:9464/', place))
  execFileSync(join(node, health[0]), health.slice(1), { env, ...identity })
  child.kill('SIGTERM')
  const [code] = await ended
  if (code !== 0) throw new Error(`it ended with ${code}: ${said}`)
  site.close()
}

async function until(find: () => string | undefined): Promise<string> {
  for (;;) {
    const found = find()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 50))
  }
}
