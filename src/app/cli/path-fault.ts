const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, where a file is needed',
  ENOTDIR: 'a part of it is a file, where a folder is needed',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
}
const SHOWN_CHARS = 200

/** What is wrong with a path that the operating system refused, and what to do; undefined for other errors. */
export function pathFault(error: unknown): string | undefined {
  const { code = '', path, message } = (error ?? {}) as NodeJS.ErrnoException
  // Some calls of Node give the words of the C library, and no code.
  const name = /File name too long/.test(message ?? '') ? 'ENAMETOOLONG' : code
  if (!Object.hasOwn(REASONS, name)) return undefined
  const place = path ?? 'a path of this command'
  const shown = place.length > SHOWN_CHARS ? `${place.slice(0, SHOWN_CHARS)}…` : place
  return `${shown}: ${REASONS[name]}; choose another`
}
