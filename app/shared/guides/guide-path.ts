/** Addresses of guides, apart from the list of them: what every page loads should not hold the list. */
import type { GuideSlug } from './list.ts'

export const docsHome = '/docs'

export function guidePath(slug: GuideSlug): string {
  return `${docsHome}/${slug}`
}
