import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { SettingError } from '#errors/setting-error.ts'

/** A git process under way; `ended` never fails. */
export interface GitProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly ended: Promise<GitEnd>
  kill(): void
}

interface GitEnd {
  readonly code: number | null
  readonly stderr: string
}

const MAX_STDERR_CHARS = 4000

/**
 * What a repository's own configuration could make git run is switched off. Only plumbing is called,
 * nothing is checked out, so no hook, filter, pager or signature checker has a part in it anyway.
 */
const SAFE_CONFIG = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'log.showSignature=false',
  'protocol.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])
const SAFE_FLAGS = ['--no-pager', '--no-optional-locks', '--no-replace-objects']

/** Starts git in a repository, without a shell. */
export async function startGit(dir: string, args: readonly string[]): Promise<GitProcess> {
  const child = spawn('git', [...SAFE_FLAGS, ...SAFE_CONFIG, '-C', dir, ...args], {
    env: safeEnvironment(dir),
    stdio: 'pipe',
  })
  const ended = endOf(child)
  try {
    await once(child, 'spawn')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new SettingError(
      'git',
      '{git} needs the program git, which is not installed (or not in PATH)',
      {
        cause,
      },
    )
  }
  child.stdin.on('error', () => undefined) // it has ended: `ended` tells why
  return { stdin: child.stdin, stdout: child.stdout, ended, kill: () => child.kill() }
}

/** What git prints, if it ends well; for commands whose output is short. */
export async function gitOutput(
  dir: string,
  args: readonly string[],
): Promise<GitEnd & { readonly stdout: string }> {
  const git = await startGit(dir, args)
  git.stdin.end()
  let stdout = ''
  git.stdout.setEncoding('utf8')
  for await (const text of git.stdout) stdout += text
  return { ...(await git.ended), stdout }
}

/** Why git gave up, with what can be done about it. */
export function gitFailure(dir: string, { code, stderr }: GitEnd): SettingError {
  if (/promisor|lazy fetch/.test(stderr))
    return new SettingError(
      'git',
      `{git} ${dir} is a partial clone that lacks files of its history: clone it whole, without --filter`,
    )
  if (/dubious ownership/.test(stderr))
    return new SettingError(
      'git',
      `{git} ${dir} belongs to another user; if you trust it: git config --global --add safe.directory ${dir}`,
    )
  const [reason = `exit code ${code}`] = stderr.trim().split('\n').slice(-1).filter(Boolean)
  return new SettingError('git', `{git} ${dir}: git gave up (${reason}); try git fsck there`)
}

async function endOf(child: ChildProcess): Promise<GitEnd> {
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS)
  })
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  return { code, stderr }
}

/** Ours, but for what would lead git elsewhere; the user's own configuration is trusted. */
function safeEnvironment(dir: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !name.startsWith('GIT_') || name === 'GIT_EXEC_PATH' || name === 'GIT_CONFIG_GLOBAL',
  )
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '', // what older versions obey instead: no way to any remote
    GIT_TERMINAL_PROMPT: '0',
    GIT_CEILING_DIRECTORIES: dirname(dir), // a folder in somebody else's repository is none
  }
}
