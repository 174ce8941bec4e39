/** A comma-separated list of policies; a split that says who bids has commas of its own. */
export function policyList(text: string): string[] {
  const names = text.match(/split:[^,:]*:[^,]*,[^,]*,[^,]*|[^,]+/g) ?? []
  return names.map((name) => name.trim()).filter((name) => name !== '')
}
