import { readDocuments } from './index-corpus.ts'
import { StringTable } from '#numeric/string-table.ts'
import { TermReader } from '#search/term-reader.ts'
import { defaultAnalyser } from '#search/default-search.ts'
const docs=[]
for await (const b of readDocuments('/tmp/s3/'+process.argv[2],1000)) { docs.push(...b); if (docs.length>20000) break }
let misses=0
const a={...defaultAnalyser, terms:(t:string)=>{misses++; return defaultAnalyser.terms(t)}}
const table=new StringTable(); const r=new TermReader(a,table)
const chars=docs.reduce((s,d)=>s+d.text.length,0)
const cpu=()=>{const {user,system}=process.cpuUsage(); return user+system}
for(let rep=0;rep<4;rep++){ misses=0; let n=0; const t=cpu(); for(const d of docs) n+=r.read(d.text).length; const us=cpu()-t; console.log({nsPerChar:us*1000/chars, nsPerToken:us*1000/n, tokens:n, missShare:misses/n})}
