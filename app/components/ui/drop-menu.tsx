import { useLocation } from '@remix-run/react'
import { type ReactNode, useEffect, useRef } from 'react'

interface DropMenuProps {
  /** Names the button when what it shows does not. */
  label?: string
  summary: ReactNode
  summaryClass?: string
  /** The panel hangs from the left edge instead of the right one. */
  left?: boolean
  className?: string
  children: ReactNode
}

/** A menu that opens without a script; a script closes it on Escape, outside and after a move. */
export function DropMenu({ label, summary, summaryClass, left, className, children }: DropMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes with every move
  useEffect(() => {
    if (menu.current) menu.current.open = false
  }, [key])

  useEffect(() => {
    const close = (event: Event) => {
      const open = menu.current
      if (!open?.open) return
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return
        open.querySelector('summary')?.focus()
      } else if (event.target instanceof Element && open.contains(event.target)) {
        // A link to a part of the same page moves without a new location.
        if (!event.target.closest('a')) return
      }
      open.open = false
    }
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
