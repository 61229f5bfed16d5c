import { useMatches } from '@remix-run/react'
import type { ReactNode } from 'react'

interface MainProps {
  className?: string
  children: ReactNode
}

/** The page's main landmark, where “Skip to content” leads. A page may bring one of its own: `handle.ownMain`. */
export function Main({ className, children }: MainProps) {
  const isOwn = useMatches().some(({ handle }) => (handle as { ownMain?: true } | undefined)?.ownMain)
  const Tag = isOwn ? 'div' : 'main'
  return (
    <Tag id="main" tabIndex={-1} className={className}>
      {children}
    </Tag>
  )
}
