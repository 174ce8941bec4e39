import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as moment } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { settingsIn } from '#app/cli/settings/config-file.ts'
import { runningCrawl } from '#library/control/progress-file.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { readDockerfile } from '../scripts/read-dockerfile.ts'
import { commandsOf, configOf, shell } from './followed-page.ts'
import { startForager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const page = readFileSync('docs/how-to/run-as-a-service.md', 'utf8')
const unit = readFileSync('deploy/forager.service', 'utf8')
const image = readDockerfile(readFileSync('deploy/Dockerfile', 'utf8'))
const last = (name: string) => image.findLast((one) => one.name === name)!

test.runIf(isThorough)(
  'the how-to page can be followed: what a machine of one’s own or an engine would do is written down instead',
  async () => {
    using site = await startScriptedSite({ '/': html('<title>Trails</title>stony') })
    const folder = temporaryFolder()
    cpSync('deploy', join(folder, 'deploy'), { recursive: true })
    const config = JSON.parse(configOf(page))
    const here = { ...config, http: { resolve: [site.resolve] } }
    // The page's own hours may be now.
    expect(() => settingsIn(config, 'forager.json')).not.toThrow()
    delete here.politeness
    writeFileSync(join(folder, 'forager.json'), JSON.stringify(here))
    const dir = join(folder, 'mycrawl')
    for (const command of commandsOf(page)) {
      if (command.startsWith('npx forager run')) {
        const args = command.split(' ').slice(2).map((word) => (/^\d+$/.test(word) ? '0' : word)) // biome-ignore format: one thought
        const { child, ended } = startForager(args, folder)
        onTestFinished(() => void child.kill('SIGKILL'))
        void ended
        while (!runningCrawl(dir)) await moment(20)
        continue
      }
      const { code, stderr } = await shell(written(command), folder)
      expect(code, `${command}\n${stderr}`).toBe(0)
    }
    expect(runningCrawl(dir)).toBeUndefined()
    const done = readFileSync(join(folder, 'done.txt'), 'utf8')
    for (const word of ['npm install --global', 'useradd --system', 'systemctl reload forager', 'docker build', '--read-only'])
    expect(done).toContain(word) // biome-ignore format: one list
  },
)

/** A line whose programs that change the machine are only written down; files are put below the folder. */
function written(command: string): string {
  const stubs = ['npm', 'useradd', 'systemctl', 'journalctl', 'docker']
    .map((name) => `${name}() { echo "${name} $*" >> done.txt; }; `)
    .join('')
  return `sudo() { "$@"; }; ${stubs}${command.replaceAll(' /etc/', ' etc/')}`
}

test('every file that the image is made of is there, and nothing keeps it out', () => {
  const ignored = readFileSync('deploy/Dockerfile.dockerignore', 'utf8').trim().split('\n')
  expect(ignored[0]).toBe('*')
  const sources = image
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from'))
    .flatMap(({ words }) => words.slice(0, -1))
  expect(sources.length).toBeGreaterThan(5)
  for (const source of sources) {
    expect(existsSync(source), source).toBe(true)
    expect(ignored).toContain(`!${source}`)
  }
})

test('the image runs as nobody special, on the ports it names, with a data folder and a health check', () => {
  expect(last('USER').text).toBe('node')
  expect(last('VOLUME').text).toBe('/data')
  const args = last('CMD').list!
  for (const port of last('EXPOSE').words) expect(args).toContain(port)
  expect(last('HEALTHCHECK').list!.join(' ')).toContain(args[args.indexOf('--metrics-port') + 1])
  for (const { name, text } of image) if (name === 'FROM') expect(text).toMatch(/^node:24-/)
})

test('flags of image and unit are flags of forager run', async () => {
  const [, command] = /^ExecStart=\S+ (.*)$/m.exec(unit)!
  const help = await shell('npx forager run --help', '.')
  for (const word of [...command.split(' '), ...last('CMD').list!])
    if (word.startsWith('--')) expect(help.stdout).toContain(`${word} `)
})

test('the unit may write its own folder only, and is not root', () => {
  for (const line of ['User=forager', 'ProtectSystem=strict', 'ReadWritePaths=/var/lib/forager', 'NoNewPrivileges=yes', 'CapabilityBoundingSet='])
    expect(unit.split('\n')).toContain(line) // biome-ignore format: one list
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(hasSystemd)('systemd finds no fault with the unit', () => {
  const file = join(temporaryFolder(), 'forager.service')
  writeFileSync(file, unit.replace('/usr/local/bin/forager', join(process.cwd(), 'bin/forager.js')))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
