/** The documentation's navigation, in the order of reading. */
import { guidePath } from './guide-path.ts'
import { type Door, guides } from './list.ts'

interface NavEntry {
  readonly to: string
  readonly title: string
  readonly door: Door
}

/** The navigation's entries, part by part. The reference is the only one that is no guide of `docs/`. */
export const navigation: readonly NavEntry[] = guides.flatMap(({ slug, title, door }) => [
  { to: guidePath(slug), title, door },
  ...(slug === 'write'
    ? [{ to: '/docs/reference', title: 'All operations, types and errors', door } as const]
    : []),
])

/** The pages before and after a path in the navigation. */
export function neighbors(path: string): { before: NavEntry | null; after: NavEntry | null } {
  const index = navigation.findIndex(({ to }) => to === path)
  if (index === -1) return { before: null, after: null }
  return { before: navigation[index - 1] ?? null, after: navigation[index + 1] ?? null }
}
