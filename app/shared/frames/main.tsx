import type { ReactNode } from 'react'

interface MainProps {
  className?: string
  children: ReactNode
}

/** The page's main landmark, where “Skip to content” leads. */
export function Main({ className, children }: MainProps) {
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  )
}
