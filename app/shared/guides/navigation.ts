/** The documentation's navigation, in the order of reading. */
import { guidePath } from './guide-path.ts'
import { type Door, guides } from './list.ts'

interface NavEntry {
  readonly to: string
  readonly title: string
  readonly door: Door
}

/** Everything in the navigation, door by door. The reference is no guide of `docs/`. */
export const navigation: readonly NavEntry[] = guides.flatMap(({ slug, title, door }) => [
  { to: guidePath(slug), title, door },
  ...(slug === 'write'
    ? [{ to: '/docs/reference', title: 'All operations, types and errors', door } as const]
    : []),
])

/** What is read before and after an address of the navigation. */
export function neighbors(path: string): { before: NavEntry | null; after: NavEntry | null } {
  const place = navigation.findIndex(({ to }) => to === path)
  if (place === -1) return { before: null, after: null }
  return { before: navigation[place - 1] ?? null, after: navigation[place + 1] ?? null }
}
