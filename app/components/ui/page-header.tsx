import type { ReactNode } from 'react'
import { LinkButton } from './button.tsx'

interface PageHeadProps {
  title: ReactNode
  children?: ReactNode
  /** The one thing to do from here. */
  action?: ReactNode
  /** The page that this one is left for. */
  back?: string
}

export function PageHeader({ title, children, action, back }: PageHeadProps) {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      {action}
      {back && (
        <LinkButton look="plain" to={back}>
          Back
        </LinkButton>
      )}
    </div>
  )
}
