/** Paths of guides. They are apart from the list of guides, which not every page should load. */
import type { GuideSlug } from './list.ts'

export const docsHome = '/docs'

export function guidePath(slug: GuideSlug): string {
  return `${docsHome}/${slug}`
}
