import { Link, useLocation, useMatches } from '@remix-run/react'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { neighbors } from '../shared/guides/navigation.ts'

/** Below a page: when it was edited, its Markdown, and the pages before and after it. */
export function PageEnd() {
  const { pathname } = useLocation()
  const path = pathname.replace(/\/+$/, '')
  const { before, after } = neighbors(path)
  if (path.endsWith('/search')) return null
  return (
    <footer className="docs-end">
      <p className="small muted">
        <EditDate /> <a href={`${path}.md`}>View as Markdown</a>
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

/** Absent where the build could not tell (`scripts/docs/edit-dates.ts`). */
function EditDate() {
  const edited = useMatches()
    .map(({ handle }) => (handle as { edited?: string | null } | undefined)?.edited)
    .find((day) => day)
  if (!edited) return null
  const words = new Date(`${edited}T12:00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  return (
    <>
      Updated <time dateTime={edited}>{words}</time> ·
    </>
  )
}
