/** The documentation's navigation, in the order of reading. */
import { guidePath } from './guide-path.ts'
import { type GuideGroup, guideGroups, guides } from './list.ts'

interface NavEntry {
  readonly to: string
  readonly title: string
  readonly group: GuideGroup
}

/** Pages of the documentation that are no guides of this folder. */
const morePages: readonly NavEntry[] = [
  { to: '/docs/reference', title: 'All operations, types and errors', group: 'Interfaces' },
  { to: '/docs/changelog', title: 'Changelog', group: 'Terms and changes' },
]

/** Everything in the navigation, group by group. */
export const navigation: readonly NavEntry[] = guideGroups.flatMap((group) => [
  ...guides
    .filter((guide) => guide.group === group)
    .map(({ slug, title }) => ({ to: guidePath(slug), title, group })),
  ...morePages.filter((page) => page.group === group),
])

/** What is read before and after an address of the navigation. */
export function neighbors(path: string): { before: NavEntry | null; after: NavEntry | null } {
  const place = navigation.findIndex(({ to }) => to === path)
  if (place === -1) return { before: null, after: null }
  return { before: navigation[place - 1] ?? null, after: navigation[place + 1] ?? null }
}
