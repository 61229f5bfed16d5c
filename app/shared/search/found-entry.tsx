import type { FoundEntry } from '../../components/ui/found-text.tsx'
import { type ExcerptPart, excerptOf, markHits } from './excerpt.ts'
import { portalPages } from './portal-pages.ts'
import { entryKinds, type Found } from './search.ts'

/** A search result as it is shown. */
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

/** A text with its hits marked. */
function Marked({ parts }: { parts: readonly ExcerptPart[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in its order
  return parts.map(({ text, isHit }, index) => (isHit ? <mark key={index}>{text}</mark> : text))
}
