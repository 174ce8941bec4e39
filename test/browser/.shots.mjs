import { chromium } from 'playwright-core'
const base = process.argv[2]
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless','--no-sandbox','--disable-gpu'] })
for (const [name, scheme, w, h] of [['light','light',1200,900],['dark','dark',1200,900],['phone','light',375,760],['phonedark','dark',375,760]]) {
  const c = await b.newContext({ colorScheme: scheme, viewport: {width:w,height:h} })
  const p = await c.newPage()
  for (const [page, path] of [['home','/'],['results','/search?q=css+grid'],['none','/search?q=zzqqx'],['err','/nope'],['last','/search?q=css+grid&page=7']]) {
    await p.goto(base+path); await p.screenshot({ path: `/tmp/shot-${name}-${page}.png`, fullPage: page==='last' })
  }
  await c.close()
}
await b.close()
