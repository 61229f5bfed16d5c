import { type ReactNode, useId } from 'react'
import { CircleDot, Clock, type LucideIcon, TriangleAlert } from './icons.ts'

export interface BannerProps {
  /** `turn`: the reader must act. `wait`: another person must. `bad`: it failed. */
  tone: 'turn' | 'wait' | 'bad' | 'ok'
  title: ReactNode
  /** Text with inline elements; it becomes one paragraph. */
  children?: ReactNode
  action?: ReactNode
  icon?: LucideIcon
}

const icons: Record<BannerProps['tone'], LucideIcon> = {
  turn: CircleDot,
  wait: Clock,
  bad: TriangleAlert,
  ok: CircleDot,
}

/** At most one under the title: what is next, who must act, by when, and what otherwise. */
export function Banner({ tone, title, children, action, icon }: BannerProps) {
  const Icon = icon ?? icons[tone]
  const titleId = useId()
  return (
    <section
      className={tone === 'wait' ? 'banner' : `banner ${tone}`}
      aria-labelledby={titleId}
      role={tone === 'bad' ? 'alert' : undefined}
    >
      <Icon className="i" />
      <div>
        <p id={titleId}>
          {tone === 'turn' && <span className="who">Your turn. </span>}
          <strong>{title}</strong>
        </p>
        {children && <p>{children}</p>}
      </div>
      {action}
    </section>
  )
}
