/** Text whose addresses have lost their user names and passwords: fit for logs and messages. */
export function withoutCredentials(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]*@/gi, '$1***@')
}
