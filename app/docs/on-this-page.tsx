import { useLocation } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { onScroll, sectionInView } from '../lib/section-in-view.ts'

interface PageSection {
  readonly heading: string
  readonly anchor: string
}

/** The sections of the page: at the side on a wide screen, folded at its top on a narrow one. */
export function OnThisPage({
  sections,
  folded = false,
}: {
  sections: readonly PageSection[]
  folded?: boolean
}) {
  const current = useCurrentSection(sections)
  const list = (
    <ul>
      {sections.map(({ heading, anchor }) => (
        <li key={anchor}>
          <a href={`#${anchor}`} aria-current={anchor === current ? 'true' : undefined}>
            {heading}
          </a>
        </li>
      ))}
    </ul>
  )
  if (folded)
    return (
      <details className="docs-sections">
        <summary>On this page</summary>
        <nav aria-label="On this page">{list}</nav>
      </details>
    )
  return (
    <nav className="docs-here" aria-label="On this page">
      <p className="group">On this page</p>
      {list}
    </nav>
  )
}

/** Without a script none is marked. */
function useCurrentSection(sections: readonly PageSection[]): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other headings in the same component
  useEffect(() => {
    const anchors = sections.map(({ anchor }) => anchor)
    return onScroll(() => setCurrent(sectionInView(anchors)))
  }, [pathname, sections])
  return current
}
