import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { useHydrated } from './hydrated.ts'
import { useReturnFocus } from './return-focus.ts'

interface DialogProps {
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  footer: ReactNode
  /** Escape, a click outside: leave without deciding. Missing: only the footer ends it. */
  onLeave?: () => void
}

/**
 * One decision. Opened by a script it floats over the page; on a page that arrived with it (no
 * script yet, or none at all) it is a card in its place, with the same words and buttons.
 */
export function Dialog({ title, description, children, footer, onLeave }: DialogProps) {
  const hydrated = useHydrated()
  const [floats] = useState(hydrated)
  const returnFocus = useReturnFocus()
  if (!floats) {
    return (
      <section className="card dialog-inline" aria-labelledby="dialog-title">
        <div className="pad stack">
          <div>
            <h2 id="dialog-title">{title}</h2>
            {description && <p className="muted">{description}</p>}
          </div>
          {children}
        </div>
        <footer>{footer}</footer>
      </section>
    )
  }
  const stay = (event: Event) => {
    if (!onLeave) event.preventDefault()
  }
  return (
    <Radix.Root open onOpenChange={(open) => !open && onLeave?.()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="dialog"
          onEscapeKeyDown={stay}
          onInteractOutside={stay}
          onCloseAutoFocus={returnFocus}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className="pad stack">
            <div>
              <Radix.Title>{title}</Radix.Title>
              {description && <Radix.Description className="muted">{description}</Radix.Description>}
            </div>
            {children}
          </div>
          <footer>{footer}</footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
