import { Link, useLocation } from '@remix-run/react'

interface ChooserProps {
  practice: { slug: string; name: string }
  practices: readonly { slug: string; name: string }[]
}

/** For who works at several practices: which one this page is about. */
export function PracticeChooser({ practice, practices }: ChooserProps) {
  const { pathname } = useLocation()
  if (practices.length < 2) return null
  return (
    <nav className="row wraps" aria-label="Which practice">
      {practices.map(({ slug, name }) => (
        <Link
          key={slug}
          className="btn sm"
          aria-current={slug === practice.slug ? 'page' : undefined}
          to={`${pathname}?${new URLSearchParams({ practice: slug })}`}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
