import type { ReactNode } from 'react'

interface PageHeadProps {
  title: ReactNode
  children?: ReactNode
  /** The one thing to do from here. */
  action?: ReactNode
}

export function PageHeader({ title, children, action }: PageHeadProps) {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      {action}
    </div>
  )
}
