/**
 * One engine in a process of its own, so that time and memory are its own. Prints what it measured:
 * `node bench/index/measure-engine.ts build ENGINE CORPUS FOLDER`, then `use ENGINE CORPUS FOLDER REPLACED`.
 */
import { readDocuments, readQueries } from './corpus.ts'
import { ENGINES, type Engine } from './engines.ts'

const BATCH = 1000
const PASSES = 3

const [step, name, corpus, folder, replaced] = process.argv.slice(2)
const queries = readQueries(corpus)
console.log(JSON.stringify(step === 'build' ? await build() : await use(Number(replaced))))

/** Indexes everything until the first query is answered, and saves it. Reading is not counted. */
async function build(): Promise<object> {
  const engine = await ENGINES[name](folder)
  let cpuMs = 0
  let documents = 0
  for await (const batch of readDocuments(corpus, BATCH)) {
    cpuMs += timed(() => engine.add(batch)).cpuMs
    documents += batch.length
  }
  cpuMs += timed(() => engine.search(queries[0])).cpuMs
  const saveCpuMs = timed(() => engine.save()).cpuMs
  return { documents, documentsPerCpuS: documents / (cpuMs / 1000), saveCpuMs }
}

/** Loads what was saved until the first query is answered, asks them all, replaces documents. */
async function use(count: number): Promise<object> {
  const startedAt = performance.now()
  const engine = await ENGINES[name](folder)
  engine.search(queries[0])
  const loadMs = performance.now() - startedAt
  for (const query of queries) engine.search(query)
  const latencies: number[] = []
  const { cpuMs } = timed(() => {
    for (let pass = 0; pass < PASSES; pass++)
      for (const query of queries) latencies.push(timed(() => engine.search(query)).wallMs)
  })
  const rssMb = process.memoryUsage.rss() / 2 ** 20
  const replacing = await replace(engine, count)
  latencies.sort((a, b) => a - b)
  return {
    loadMs,
    queryCpuMs: cpuMs / latencies.length,
    queryP50Ms: latencies[Math.floor(latencies.length * 0.5)],
    queryP99Ms: latencies[Math.floor(latencies.length * 0.99)],
    rssMb,
    ...replacing,
  }
}

/** The first documents get the content of those after them, until a query is answered; then a save. */
async function replace(engine: Engine, count: number): Promise<object> {
  for await (const documents of readDocuments(corpus, 2 * count)) {
    const changed = documents.slice(count).map((document, id) => ({ ...document, id }))
    const replacing = timed(() => {
      engine.replace(changed)
      engine.search(queries[0])
    })
    const saving = timed(() => engine.save())
    return {
      replaced: changed.length,
      replaceCpuMs: replacing.cpuMs,
      replaceSaveCpuMs: saving.cpuMs,
    }
  }
  throw new Error('the corpus is empty')
}

function timed(work: () => void): { readonly cpuMs: number; readonly wallMs: number } {
  const cpuBefore = process.cpuUsage()
  const wallBefore = performance.now()
  work()
  const wallMs = performance.now() - wallBefore
  const { user, system } = process.cpuUsage(cpuBefore)
  return { cpuMs: (user + system) / 1000, wallMs }
}
