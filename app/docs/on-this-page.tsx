import { useLocation } from '@remix-run/react'
import { useEffect, useState } from 'react'

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

/** Where reading begins, below the bar. */
const readingLine = 140

/**
 * The last section whose heading has passed the top of the page. Without a script none is marked.
 */
function useCurrentSection(sections: readonly PageSection[]): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other headings in the same component
  useEffect(() => {
    let waiting = 0
    const look = () => {
      waiting = 0
      const passed = sections.filter(({ anchor }) => {
        const heading = document.getElementById(anchor)
        return heading !== null && heading.getBoundingClientRect().top <= readingLine
      })
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      setCurrent((atEnd && window.scrollY > 0 ? sections : passed).at(-1)?.anchor ?? null)
    }
    const onScroll = () => {
      waiting ||= requestAnimationFrame(look)
    }
    look()
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('resize', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(waiting)
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('resize', onScroll)
    }
  }, [pathname, sections])
  return current
}
