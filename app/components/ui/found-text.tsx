import type { ReactNode } from 'react'

/** A result of the search. */
export interface FoundEntry {
  to: string
  /** One of its own: several parts of a page may have its address. */
  key: string
  label: ReactNode
  /** Such as “Guide” or “Error”. */
  kind: string
  section: string
  excerpt: ReactNode
  document?: boolean
}

/** A result as the palette and the search page show it. */
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
