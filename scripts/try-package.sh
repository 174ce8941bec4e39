#!/usr/bin/env bash
# Packs the package, installs it into an empty folder as a user would, and runs it there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
node=$root/node_modules/.bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$root"
npm pack --silent --pack-destination "$work" >/dev/null
mkdir "$work/empty" && cd "$work/empty"
npm init -y >/dev/null
npm install --silent "$work"/forager-*.tgz
export PATH=$node:$PATH # the checkout's Node 24, as the machine's may be older
wanted=$(node -p "require('$root/package.json').version")
got=$(npx forager --version)
[ "$got" = "$wanted" ] || { echo "forager --version printed '$got', not '$wanted'"; exit 1; }
npx forager lab generate --pages 500 --weeks 2 --out web >/dev/null
npx forager crawl --archive web --budget 50 --json | grep -q '"spent":50'
cp "$root/examples/young-hosts-first.ts" mine.ts
npx forager lab run selection --archive web --policies bfs,mine --policy-file mine.ts --json | grep -q '"policy":"mine"'
"$node/tsc" --ignoreConfig --noEmit --strict --skipLibCheck --target es2024 --lib esnext --module nodenext --types '' mine.ts

# The library, as README.md shows it: the same program runs, and its types are those of the package.
sed -n '/^## In a program/,/^## /{/^```js$/,/^```$/{/^```/!p}}' "$root/README.md" | sed "s/'modelweb'/'web'/" >example.mjs
node example.mjs | grep -q '^budget spent: 200 fetches'
cp example.mjs example.mts
"$node/tsc" --ignoreConfig --noEmit --strict --skipLibCheck --target esnext --lib esnext,dom --module nodenext --types '' example.mts
node --input-type=module -e "
  import { runExperiment } from 'forager/lab'
  const { rows } = await runExperiment('selection', { archive: ['web'], policies: 'bfs,pagerank' })
  if (rows.length === 0) throw new Error('no rows')"
node --input-type=module -e "
  import { runService } from 'forager'
  const stop = new AbortController()
  const begin = () => ({ beat: () => stop.abort() })
  const read = () => ({ dir: 'service', seeds: ['http://127.0.0.1:9/'], delay: 0 })
  const { end } = await runService({ read, signal: stop.signal, begin })
  if (end !== 'stopped') throw new Error(end)"
echo "the packed package works: forager $got"
