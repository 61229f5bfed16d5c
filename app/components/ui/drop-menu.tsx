import { useLocation } from '@remix-run/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { closeMenuOn } from '../../lib/close-menu.ts'

interface DropMenuProps {
  /** The button's name for screen readers, if its content has no text. */
  label?: string
  summary: ReactNode
  summaryClass?: string
  /** The panel hangs from the left edge instead of the right one. */
  left?: boolean
  className?: string
  children: ReactNode
}

/** A menu that opens without a script. A script closes it on Escape, on a click outside and after navigation. */
export function DropMenu({ label, summary, summaryClass, left, className, children }: DropMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes with every navigation
  useEffect(() => {
    if (menu.current) menu.current.open = false
  }, [key])

  useEffect(() => {
    const close = (event: Event) => closeMenuOn(event, menu.current)
    document.addEventListener('click', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('click', close)
      document.removeEventListener('keydown', close)
    }
  }, [])

  return (
    <details ref={menu} className={['drop', left ? 'left' : '', className ?? ''].filter(Boolean).join(' ')}>
      <summary className={summaryClass} aria-label={label}>
        {summary}
      </summary>
      <div className="panel">{children}</div>
    </details>
  )
}
