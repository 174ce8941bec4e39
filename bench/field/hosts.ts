/** By the number of the folder. */
export function hostOf(folder: number): string {
  return `www.docs-${folder}.test`
}

export const SLOW_HOST = 'www.slow.test'
/** The numbers of the folders whose hosts name a sitemap in robots.txt. */
export const SITES_WITH_SITEMAP = [0, 1]
export const SITES_WITH_BAD_LINKS = [2]
