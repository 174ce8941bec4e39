import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const { archive, inFolder } = modelWebFolder(1)
/** Where pandas and PyArrow are installed; `npm run test:python` sees to that. */
const PYTHON = process.env.FORAGER_PYTHON

/** Reads all parts of an export as others would, and tells how many rows they have, and of which columns. */
const READ = `
import glob, json, sys
import pandas as pd
import pyarrow.dataset as ds
folder, form = sys.argv[1:]
files = sorted(glob.glob(folder + '/part-*.' + form))
if form == 'parquet':
    table = ds.dataset(files).to_table()
    frame = table.to_pandas()
elif form == 'csv':
    frame = pd.concat([pd.read_csv(file) for file in files])
else:
    frame = pd.concat([pd.read_json(file, lines=True) for file in files])
text = int(frame['text'].str.len().gt(0).sum()) if 'text' in frame else -1
urls = sorted(frame['url'].unique().tolist())[:3] if 'url' in frame else []
print(json.dumps({'rows': len(frame), 'columns': list(frame.columns), 'text': text, 'urls': urls}))
`

test.runIf(PYTHON)(
  'pandas and PyArrow read what is exported, row by row and column by column',
  async () => {
    const dir = inFolder('crawl')
    await forager('crawl', '--archive', archive, '--dir', dir, '--budget', '120', '--json')
    for (const what of ['pages', 'links', 'fetches']) {
      const read = await Promise.all(
        ['jsonl', 'csv', 'parquet'].map(async (form) => {
          const out = inFolder(join(`${what}-${form}`))
          const flags = ['--dir', dir, '--format', form, '--out', out, '--json']
          const { stdout, code } = await forager('export', what, ...flags)
          expect(code).toBe(0)
          const told = JSON.parse(execFileSync(PYTHON!, ['-c', READ, out, form]).toString())
          expect(told.rows).toBe(JSON.parse(stdout).rows)
          return told
        }),
      )
      const [asLines, asCsv, asParquet] = read
      expect(asParquet.rows).toBeGreaterThan(100)
      expect(asParquet.columns).toEqual(asCsv.columns)
      expect(asParquet.urls).toEqual(asLines.urls)
      expect(asParquet.text).toBe(asLines.text)
      if (what === 'pages') expect(asParquet.text).toBeGreaterThan(50)
    }
  },
)
