/** Colours by name; a test holds every pair that meets to the contrast of WCAG AA. */
export const LIGHT = {
  ground: '#fbfaf6',
  raised: '#ffffff',
  ink: '#1c231f',
  quiet: '#59635d',
  line: '#d9d6cb',
  edge: '#85897f',
  link: '#17593a',
  visited: '#6a3d7c',
  accent: '#1f6b47',
  onAccent: '#ffffff',
  mark: '#fbe9a6',
  onMark: '#1c231f',
}
export const DARK: typeof LIGHT = {
  ground: '#131715',
  raised: '#1c221f',
  ink: '#e5e9e5',
  quiet: '#a0aba4',
  line: '#323a35',
  edge: '#77827b',
  link: '#8ad9ab',
  visited: '#cfaee0',
  accent: '#8ad9ab',
  onAccent: '#0f1c15',
  mark: '#4d4415',
  onMark: '#fff2c2',
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const variables = (colours: typeof LIGHT) =>
  Object.entries(colours)
    .map(([name, value]) => `--${kebab(name)}:${value}`)
    .join(';')

/** The whole look of the search page. */
export const STYLE = `
:root{color-scheme:light dark;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${variables(DARK)}}}
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Ubuntu,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.16em;text-decoration-thickness:1px}
a:visited{color:var(--visited)}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
a:focus-visible{border-radius:3px}
h1,h2,p,ol,ul{margin:0;padding:0}
.unseen:not(:focus):not(:active){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{position:absolute;z-index:1;left:1rem;top:.75rem;padding:.4rem .8rem;background:var(--raised);border-radius:6px}

.bar{border-bottom:1px solid var(--line);background:var(--raised)}
.bar-inside{display:flex;align-items:center;gap:1.25rem;max-width:62rem;margin:0 auto;padding:.9rem 1.25rem}
.brand{display:inline-flex;align-items:center;gap:.5rem;font-weight:650;font-size:1.15rem;letter-spacing:-.01em;color:var(--accent);text-decoration:none}
.brand:visited{color:var(--accent)}
.logo{width:1.75em;height:1.75em;flex:none}
search{flex:1;min-width:0;max-width:42rem}
form{display:flex;gap:.5rem}
input{flex:1;min-width:0;height:2.9rem;padding:0 1rem;font:inherit;font-size:1.05rem;color:var(--ink);background:var(--ground);border:1px solid var(--edge);border-radius:10px;appearance:none}
input::placeholder{color:var(--quiet);opacity:1}
input:focus{outline:3px solid var(--accent);outline-offset:-1px;border-color:transparent}
button{height:2.9rem;padding:0 1.2rem;font:inherit;font-weight:600;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:10px;cursor:pointer}
button:hover{filter:brightness(1.1)}

main{flex:1;width:100%;max-width:62rem;margin:0 auto;padding:1.1rem 1.25rem 2.5rem}
main:focus{outline:none}
.reading{max-width:42rem;margin-left:8.75rem}
.count{color:var(--quiet);font-size:.9rem}
.results{list-style:none}
.results>li{padding:.95rem 0}
.where{display:flex;gap:.25rem;align-items:baseline;font-size:.86rem;line-height:1.4;color:var(--quiet);white-space:nowrap;overflow:hidden}
.where bdi{overflow:hidden;text-overflow:ellipsis}
.where .host{flex:none;max-width:100%;color:var(--ink)}
.results h2{font-size:1.2rem;line-height:1.35;font-weight:560;margin:.1rem 0 .2rem}
.results h2 a{text-decoration-color:transparent}
.results h2 a:hover,.results h2 a:focus-visible{text-decoration-color:currentColor}
.excerpt{font-size:.96rem}
.age{color:var(--quiet);font-size:.86rem}
mark{background:var(--mark);color:var(--on-mark);border-radius:3px;padding:0 .1em;margin:0 -.1em;-webkit-box-decoration-break:clone;box-decoration-break:clone}
h2 mark{background:none;color:inherit;font-weight:750}

.pages{margin-top:1.2rem;border-top:1px solid var(--line);padding-top:1.1rem}
.pages ul{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;align-items:center}
.pages a,.pages [aria-current]{display:inline-flex;align-items:center;justify-content:center;min-width:2.6rem;min-height:2.6rem;padding:0 .7rem;border-radius:9px;border:1px solid var(--line);text-decoration:none;background:var(--raised);color:var(--link)}
.pages a:hover{border-color:var(--accent)}
.pages [aria-current]{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}
.pages .gap{color:var(--quiet);padding:0 .1rem}

.notice{max-width:42rem;padding:1.6rem 0}
.notice h1{font-size:1.5rem;line-height:1.3;font-weight:620;letter-spacing:-.01em;margin-bottom:.6rem}
.notice p+p,.notice p+ul,.notice ul+p{margin-top:.8rem}
.notice ul{padding-left:1.2rem}
.notice li{margin:.3rem 0}
code,kbd{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{background:var(--raised);border:1px solid var(--line);border-radius:5px;padding:.1em .35em}
kbd{border:1px solid var(--edge);border-bottom-width:2px;border-radius:5px;padding:.05em .45em;background:var(--raised)}

.home main{display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.4rem;padding-bottom:16vh;text-align:center}
.home h1{display:inline-flex;align-items:center;gap:.6rem;font-size:clamp(2.3rem,8vw,3.2rem);font-weight:680;letter-spacing:-.035em;line-height:1.1;color:var(--accent)}
.home h1 .logo{width:1.1em;height:1.1em}
.home search{flex:none;width:100%;max-width:38rem}
.home input{height:3.3rem;background:var(--raised);font-size:1.1rem;box-shadow:0 1px 2px rgb(0 0 0/.06),0 6px 24px rgb(0 0 0/.05)}
.home button{height:3.3rem}
.home p{color:var(--quiet)}

footer{border-top:1px solid var(--line);color:var(--quiet);font-size:.86rem}
footer p{max-width:62rem;margin:0 auto;padding:.9rem 1.25rem;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}

@media (max-width:56rem){.reading{margin-left:0}}
@media (max-width:36rem){
.bar-inside{gap:.8rem;padding:.7rem 1rem}
.bar .brand span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.bar button,.home button{padding:0 .9rem}
main{padding:.9rem 1rem 2rem}
footer p{padding:.9rem 1rem}
#slash{display:none}
}
@media print{.bar,.pages,footer{display:none}}
`.trim()
