import type { ReactNode } from 'react'
import type { LucideIcon } from './icons.ts'

interface TimelineEntry {
  key: string
  icon: LucideIcon
  text: ReactNode
  at?: ReactNode
}

/** Events, newest first, or the steps ahead, in order. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="timeline">
      {entries.map(({ key, icon: Icon, text, at }) => (
        <li key={key}>
          <Icon className="i" />
          <div>
            <p>{text}</p>
            {at}
          </div>
        </li>
      ))}
    </ol>
  )
}
