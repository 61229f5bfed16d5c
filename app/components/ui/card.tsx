import { type ReactNode, useId } from 'react'

interface CardProps {
  title?: ReactNode
  /** Of the title, for links that lead to it. */
  id?: string
  /** Names a card without a title. */
  label?: string
  /** Beside the title: a link, a button, a fact about the whole. */
  aside?: ReactNode
  /** Text and forms, one below the other; without it, a head above lists and tables that reach the edges. */
  padded?: boolean | 'tight' | 'gap-5'
  role?: 'alert' | 'status'
  children?: ReactNode
}

export function Card({ title, id, label, aside, padded = false, role, children }: CardProps) {
  const generated = useId()
  const titleId = id ?? generated
  const heading = title !== undefined && <h2 id={titleId}>{title}</h2>
  const look = ['card', padded && 'pad stack', typeof padded === 'string' && padded]
  return (
    <section
      className={look.filter(Boolean).join(' ')}
      role={role}
      aria-label={label}
      aria-labelledby={heading ? titleId : undefined}
    >
      {padded || !heading ? (
        heading
      ) : (
        <div className="head">
          {heading}
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}
