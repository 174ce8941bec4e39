import { directoryUrl } from '#fetch/signing/profile.ts'
import { html } from '../../web/html.ts'

/** What site owners should know of a crawler. */
interface Operator {
  readonly agent: string
  readonly contact: string
  readonly userAgent: string
  /** The name robots.txt knows us by. */
  readonly agentToken: string
  readonly purpose: string
}

/** A page that says who crawls, what for, and how to be left out. */
export function operatorPage({ agent, contact, userAgent, agentToken, purpose }: Operator): string {
  const address = /^https?:/i.test(contact) ? contact : `mailto:${contact}`
  const keys = directoryUrl(agent)
  return `${
    html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>About the web crawler ${agentToken}</title>
<style>body { font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }</style>
<h1>About the web crawler ${agentToken}</h1>
<p>It fetches public web pages for ${purpose}. It obeys robots.txt, and asks a host for one page at a time, with pauses.</p>
<h2>Who runs it</h2>
<p>Write to <a href="${address}">${contact}</a> with questions and complaints.</p>
<h2>How to recognise it</h2>
<p>Its requests say <code>${userAgent}</code>. They are signed (RFC 9421, tag <code>web-bot-auth</code>): the keys are at
<a href="${keys}">${keys}</a>. A request that names this crawler without such a signature may be somebody else's.</p>
<h2>How to be left out</h2>
<p>Put this into the robots.txt of your site. It holds within a day:</p>
<pre>User-agent: ${agentToken}
Disallow: /</pre>
<p>Name folders instead of <code>/</code> to leave out parts, or ask for pauses with <code>Crawl-delay</code>. Or write to us.</p>
</html>`.text
  }\n`
}
