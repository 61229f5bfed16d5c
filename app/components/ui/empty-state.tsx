import type { ReactNode } from 'react'
import type { LucideIcon } from './icons.ts'

interface EmptyProps {
  icon: LucideIcon
  title: string
  /** What this is and why it is empty. */
  children: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <section className="card empty">
      <Icon className="i" />
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </section>
  )
}
