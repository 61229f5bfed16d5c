import { Link, useLocation, useMatches } from '@remix-run/react'
import { ArrowLeft, ArrowRight } from '../components/ui/icons.ts'
import { neighbors } from '../shared/guides/navigation.ts'

/** Links below a page: its Markdown, and the pages before and after it. */
export function PageEnd() {
  const { pathname } = useLocation()
  const path = pathname.replace(/(?<!\/)\/+$/, '')
  const { before, after } = neighbors(path)
  const isPage = !useMatches().some(({ id }) => id === 'no-page-of-docs')
  if (path.endsWith('/search') || !isPage) return null
  return (
    <footer className="docs-end">
      <p className="small muted">
        <a href={`${path}.md`}>View as Markdown</a>
      </p>
      {(before || after) && (
        <nav className="docs-neighbors" aria-label="Previous and next">
          {before && (
            <Link to={before.to} rel="prev">
              <ArrowLeft className="i" />
              <span>
                <span className="small muted">Previous</span>
                <span className="label">{before.title}</span>
              </span>
            </Link>
          )}
          {after && (
            <Link to={after.to} rel="next" className="next">
              <span>
                <span className="small muted">Next</span>
                <span className="label">{after.title}</span>
              </span>
              <ArrowRight className="i" />
            </Link>
          )}
        </nav>
      )}
    </footer>
  )
}
