/**
 * Makes `dist/`, what the published package runs: the sources without their types. Node strips types
 * itself, but not below node_modules. Imports of `./x.ts`, and URLs of it, become `./x.js`; `#room/x.ts` stays, and a
 * manifest in `dist/` says where it is. Types are kept for what `forager` and `forager/lab` give to other programs.
 */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const from = join(root, 'src')
const to = join(root, 'dist')

rmSync(to, { recursive: true, force: true })
const files = globSync('**/*.ts', { cwd: from }).filter((file) => !/\.test(-kit)?\.ts$/.test(file))
for (const file of files) {
  const source = stripTypeScriptTypes(readFileSync(join(from, file), 'utf8'))
  write(file.replace(/\.ts$/, '.js'), withJsImports(source))
}
write('package.json', `${JSON.stringify({ type: 'module', imports: { '#*.ts': './*.js' } })}\n`)
writePublicTypes()
writeCommit()
console.log(`dist/: ${files.length} files`)

function writePublicTypes(): void {
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'scripts/public-types.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  for (const file of globSync('**/*.d.ts', { cwd: to }))
    write(file, withJsImports(readFileSync(join(to, file), 'utf8')))
}

/** Reports name the commit that made them; a package outside git cannot know it. */
function writeCommit(): void {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, stdio: 'pipe' })
    write('commit.txt', `${commit}`)
  } catch {
    console.warn('no git commit known: reports will not name one')
  }
}

function withJsImports(source: string): string {
  return source.replace(/(\b(?:from|import|new URL)\s*\(?\s*'\.[^']*)\.ts'/g, "$1.js'")
}

function write(file: string, content: string): void {
  const path = join(to, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
