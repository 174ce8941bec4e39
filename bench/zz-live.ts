import { mkdtempSync, rmSync } from 'node:fs'
import { readDocuments } from './index-corpus.ts'
import { IndexStore } from '#repository/text-index/index-store.ts'
import { defaultAnalyser } from '#search/default-search.ts'
const docs=[]
for await (const b of readDocuments('/tmp/s3/sw',1000)) docs.push(...b)
// pages of 34 KB text
const pages: any[]=[]; let text=''; let n=0
for(let rep=0;rep<3;rep++) for(const d of docs){ text+=d.text+'\n'; if(text.length>=34000){ pages.push({...d,url:d.url+n, text:Buffer.from(text.slice(0,34000)).toString()}); text=''; n++ } }
console.log('pages',pages.length)
const cpu=()=>{const {user,system}=process.cpuUsage(); return user+system}
for (const batch of [64,500]) {
const dir=mkdtempSync('/tmp/s3/live-')
const store=new IndexStore(dir); const index=store.load(defaultAnalyser)
let put=0,merge=0,save=0
for(let at=0;at<pages.length;at+=batch){ let t=cpu(); for(let i=at;i<Math.min(at+batch,pages.length);i++) index.replace(i,pages[i]); put+=cpu()-t; t=cpu(); while(index.compact()); merge+=cpu()-t; t=cpu(); store.save(index); save+=cpu()-t }
console.log({batch, usPut:put/pages.length, usMerge:merge/pages.length, usSave:save/pages.length, segments:index.segments.length})
rmSync(dir,{recursive:true})
}
