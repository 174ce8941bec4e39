#!/usr/bin/env node
// The door of the command line. From a checkout it runs the sources directly, from an installed
// package the built files; on an older Node it uses the one that npm installed beside it, if any.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { beginAnew } from './begin-anew.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= 24) {
  beginAnew()
  // Started by an older Node (below): end with it, even if it was killed.
  if (process.channel) {
    process.channel.unref()
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  }
  const sources = here('../src/app/cli/main.ts')
  const isCheckout = existsSync(sources)
  // To strip the types of all that a command needs takes half a second, once; its threads look into the environment.
  if (isCheckout) {
    process.env.NODE_COMPILE_CACHE ??= here('../node_modules/.cache/forager')
    module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  }
  const { main } = await import(isCheckout ? sources : here('../dist/app/cli/main.js'))
  const exitCode = await main(process.argv)
  // A connection that nobody waits for any more must not keep the program from ending. Where the
  // result could not be written, whoever hears of that ends it.
  process.stdout.write('', (error) => {
    if (!error) process.stderr.write('', () => process.exit(exitCode))
  })
} else {
  const newer = here('../node_modules/node/bin/node')
  if (existsSync(newer)) {
    const child = spawn(newer, process.argv.slice(1), {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    process.on('SIGINT', () => {}) // a terminal's Ctrl-C reaches the child by itself
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    child.on('exit', (code) => process.exit(code ?? 1))
  } else {
    console.error(
      `Forager needs Node 24 or newer; this is ${process.version}. Get it from nodejs.org.`,
    )
    process.exit(2)
  }
}
