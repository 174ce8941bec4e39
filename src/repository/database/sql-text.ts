/** A text as SQL has it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
