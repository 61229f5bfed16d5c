import { useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'

/** A page that every realm has. Only the developers' frame leaves the margins to the page. */
export function RealmPage({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  const { pathname } = useLocation()
  if (/^\/(?:patient|practice|staff)\//.test(pathname)) return children
  return <div className={narrow ? 'page narrow' : 'page'}>{children}</div>
}
