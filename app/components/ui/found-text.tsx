import type { ReactNode } from 'react'

/** A search result. */
export interface FoundEntry {
  to: string
  /** Unique, unlike `to`: several sections of a page share its URL. */
  key: string
  label: ReactNode
  /** Such as “Guide” or “Error”. */
  kind: string
  section: string
  excerpt: ReactNode
  /** Not a page of the portal: the browser loads it. */
  document?: boolean
}

export function FoundText({ label, kind, section, excerpt }: Omit<FoundEntry, 'to' | 'key' | 'document'>) {
  return (
    <span className="found-text">
      <span className="found-label">{label}</span>
      <span className="tag bare">{kind}</span>
      {section && <span className="small muted">{section}</span>}
      {excerpt && <span className="small found-excerpt">{excerpt}</span>}
    </span>
  )
}
