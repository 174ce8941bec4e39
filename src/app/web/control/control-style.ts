/** Colours of parts in charts: each differs from the ground by 3 to 1 at least. */
const PARTS = { light: ['#1f6b47', '#b3570c', '#5d4db8'], dark: ['#8ad9ab', '#f0b26b', '#b9acf7'] }
const colours = (of: readonly string[]) => of.map((colour, i) => `--s${i + 1}:${colour}`).join(';')

/** What the control room adds to the look of the search page. */
export const CONTROL_STYLE = `
:root{${colours(PARTS.light)};--alarm:#8f2d1a;--alarm-ground:#fbeae4;--plus:#e2f2e6;--minus:#fbe6e1}
@media (prefers-color-scheme:dark){:root{${colours(PARTS.dark)};--alarm:#ffb4a1;--alarm-ground:#3a211b;--plus:#1d3b29;--minus:#43231c}}
.control main{max-width:70rem}
.control .bar-inside{max-width:70rem;justify-content:space-between;padding-bottom:.5rem}
.control footer p{max-width:70rem}
.doing{margin-left:auto;font-size:.9rem;color:var(--quiet)}
.doing span::before{content:"";display:inline-block;width:.6em;height:.6em;border-radius:50%;margin-right:.45em;background:var(--edge)}
.doing .crawling::before{background:var(--s1)}
.doing .paused::before,.doing .stopping::before,.doing .reloading::before{background:var(--s2)}
.to-search{white-space:nowrap}
.rooms{max-width:70rem;margin:0 auto;padding:0 1.25rem;overflow-x:auto}
.rooms ul{display:flex;gap:.25rem;list-style:none}
.rooms a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .8rem;text-decoration:none;color:var(--ink);border-bottom:3px solid transparent;white-space:nowrap}
.rooms a:hover{border-color:var(--line)}
.rooms [aria-current]{border-color:var(--accent);font-weight:650;color:var(--accent)}
.control h1{font-size:1.55rem;line-height:1.25;letter-spacing:-.015em;margin:.3rem 0 .9rem}
.control h2{font-size:1.15rem;line-height:1.3;margin:0 0 .5rem}
.control h3{font-size:1rem;margin:1rem 0 .35rem}
.control section{margin:0 0 1.6rem;padding:1.1rem 1.2rem;background:var(--raised);border:1px solid var(--line);border-radius:12px}
.lead,.quiet{color:var(--quiet)}
.lead{margin:-.2rem 0 .8rem;font-size:.94rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.8rem;margin:0 0 1.6rem}
.tiles>div{padding:.8rem 1rem;background:var(--raised);border:1px solid var(--line);border-radius:12px}
.tiles dt{color:var(--quiet);font-size:.86rem}
.tiles dd{margin:0;font-size:1.5rem;font-weight:640;line-height:1.25;letter-spacing:-.01em}
.tiles dd.quiet{font-size:.86rem;font-weight:400;letter-spacing:0}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:0 1.6rem}
figure{margin:0 0 .6rem}
figcaption{font-weight:600;font-size:.94rem;margin-bottom:.2rem}
.chart{display:block;width:100%;max-width:44rem;height:auto}
.chart .grid{stroke:var(--line);stroke-width:1}
.chart .tick{fill:var(--quiet);font-size:12px}
.chart .line{fill:none;stroke:var(--s1);stroke-width:2.5;stroke-linejoin:round}
.chart .area{fill:var(--s1);opacity:.13}
.dot{fill:var(--s1)}
.s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}.rest{fill:var(--line)}
.legend{font-size:.86rem;color:var(--quiet);display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin-bottom:.6rem}
.legend svg{width:.75em;height:.75em;margin-right:.4em}
.bar-of{display:block;width:6rem;height:.5rem;border-radius:4px}
details{font-size:.9rem}
summary{cursor:pointer;color:var(--link);min-height:1.6rem}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;padding:.45rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;font-weight:400}
thead th{color:var(--quiet);font-size:.84rem;white-space:nowrap;border-bottom-color:var(--edge)}
tbody tr:last-child>*{border-bottom:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody td:not(.number){min-width:6.5rem}
tbody th:not(.number){min-width:10rem}
td time{white-space:nowrap}
.url bdi{overflow-wrap:anywhere}
.url .host{color:var(--quiet)}
a.url{text-decoration-color:transparent}
a.url:hover,a.url:focus-visible{text-decoration-color:currentColor}
.control search{max-width:none;margin-bottom:1.2rem}
search input[type=number]{flex:0 1 8rem}
.control select,.control input[type=number]{height:2.9rem;padding:0 .7rem;font:inherit;color:var(--ink);background:var(--ground);border:1px solid var(--edge);border-radius:10px}
.problems{list-style:none;padding:0}
.problems li{padding:.7rem .9rem;border:1px solid var(--line);border-left:4px solid var(--alarm);border-radius:8px;background:var(--alarm-ground);margin-bottom:.6rem}
.problems strong{color:var(--alarm)}
.fine{color:var(--accent);font-weight:600}
.diff{list-style:none;padding:0;font-size:.9rem;border:1px solid var(--line);border-radius:8px;overflow:hidden}
.diff li{padding:.15rem .7rem;white-space:pre-wrap}
.diff .added{background:var(--plus)}.diff .removed{background:var(--minus)}
pre{overflow:auto;max-height:24rem;padding:.8rem;border:1px solid var(--line);border-radius:8px;background:var(--ground);font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.1rem;margin:0}
.facts dt{color:var(--quiet)}.facts dd{margin:0}
.badge{display:inline-block;padding:.05rem .6rem;border-radius:1rem;border:1px solid var(--edge);font-size:.86rem}
.forms{display:flex;flex-wrap:wrap;gap:.8rem 1.6rem;align-items:end}
.actions form{flex-wrap:wrap;align-items:end}
.actions input[type=text]{min-width:min(20rem,70vw);height:2.9rem}
.actions small{display:block}.actions .whole{flex:0 0 100%;order:1}
.actions input[type=number]{width:9rem}
ul.rows{list-style:none;padding:0}
.rows li{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;justify-content:space-between;padding:.4rem 0;border-bottom:1px solid var(--line)}
.rows li:last-child{border-bottom:0}
.actions label{display:block;font-size:.86rem;color:var(--quiet)}
.plain{background:var(--raised);color:var(--link)}
.back{margin-top:1rem}.back a{display:inline-block;padding:.5rem 0}
#confirm p{margin-bottom:.7rem}
ul.tight,ol.tight{padding-left:1.2rem;margin:.3rem 0}
.shown{max-width:44rem}
.shown>li{padding:.6rem 0}
.shown h2{font-size:1.05rem;margin:.05rem 0 .15rem}
.shown .excerpt{font-size:.92rem}
.bar-of{margin-top:.45rem}
#main [aria-busy] p::before{content:"";display:inline-block;width:.8em;height:.8em;margin-right:.6em;border:2px solid var(--line);border-top-color:var(--accent);border-radius:50%;vertical-align:-.05em;animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media (prefers-reduced-motion:reduce){#main [aria-busy] p::before{animation:none}}
@media (max-width:36rem){
.rooms{padding:0 .6rem}.rooms a{padding:0 .6rem}
.control section{padding:.9rem .9rem}
.facts{grid-template-columns:1fr}.facts dd{margin-bottom:.4rem}
.tiles{grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.6rem}
.tiles>div{padding:.6rem .8rem}.tiles dd{font-size:1.25rem}
.chart .tick{font-size:18px}
.scroll{overflow:visible}
table,tbody,tr,tbody th,tbody td{display:block;width:auto}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tbody tr{display:flex;flex-wrap:wrap;gap:.05rem 1.1rem;padding:.6rem 0;border-bottom:1px solid var(--line)}
tbody tr:last-child{border-bottom:0}
tbody th,tbody td,tbody tr:last-child>*{border:0;padding:0;min-width:0!important;text-align:left;white-space:normal}
tbody th{flex:1 0 100%;font-weight:560}
tbody td::before{content:attr(data-name);color:var(--quiet);font-size:.84rem;margin-right:.4em}
.bar-of{display:inline-block;margin:0;vertical-align:.05em}
tbody td:empty{display:none}
.doing{display:none}
}
@media print{.rooms,.actions{display:none}}
`.trim()
