import type { FoundEntry } from '../../components/ui/found-text.tsx'
import { excerptOf, markHits } from './excerpt.ts'
import { Marked } from './marked.tsx'
import { portalPages } from './portal-pages.ts'
import { entryKinds, type Found } from './search.ts'

/** Something found, as it is shown. */
export function foundEntry({ kind, to, label, section, text, hits }: Found): FoundEntry {
  return {
    to,
    key: `${to} ${label} ${section}`,
    label: <Marked parts={markHits(label, hits)} />,
    kind: entryKinds[kind].name,
    section,
    excerpt: text === '' ? null : <Marked parts={excerptOf(text, hits)} />,
    document: portalPages.some((page) => page.to === to && page.document),
  }
}
