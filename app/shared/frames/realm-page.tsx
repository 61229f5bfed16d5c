import { useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'

/** A page mounted once for each realm: the frames of practices and staff have its margins already. */
export function RealmPage({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  const { pathname } = useLocation()
  if (/^\/(?:practice|staff)\//.test(pathname)) return children
  return <div className={narrow ? 'page narrow' : 'page'}>{children}</div>
}
