import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LinkFlow } from '#importance/link-flow.ts'
import { inFolder } from '../harness/in-folder.ts'

export interface ScipyProduct {
  readonly edgesPerCpuSecond: number | null
  readonly note: string
}

/** How fast SciPy multiplies the same graph by a vector, where some Python has SciPy. */
export async function scipyProduct(flow: LinkFlow, rounds: number): Promise<ScipyProduct> {
  const python = ['python3', '/usr/bin/python3'].find(
    (command) => spawnSync(command, ['-c', 'import scipy.sparse']).status === 0,
  )
  if (python === undefined) {
    return { edgesPerCpuSecond: null, note: 'SciPy is not installed: nothing to compare with' }
  }
  return await inFolder(async (folder) => {
    writeFileSync(join(folder, 'offsets.bin'), flow.inLinks.offsets)
    const sources = flow.inLinks.targets.map((linker) => flow.linkers[linker])
    writeFileSync(join(folder, 'sources.bin'), sources)
    const script = join(import.meta.dirname, 'scipy_product.py')
    const child = spawnSync(python, [script, folder, String(rounds)], { encoding: 'utf8' })
    if (child.status !== 0) throw new Error(`${python} failed: ${child.stderr}`)
    const { version, cpuSeconds } = JSON.parse(child.stdout)
    const edgesPerCpuSecond = Math.round((sources.length * rounds) / cpuSeconds)
    const millions = (edgesPerCpuSecond / 1e6).toFixed(1)
    return { edgesPerCpuSecond, note: `SciPy ${version}: ${millions} M edges/CPU-s` }
  })
}
