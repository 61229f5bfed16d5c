import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface DialogProps {
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  footer: ReactNode
  /** Called on Escape and on a click outside. Without it, only the footer closes the dialog. */
  onLeave?: () => void
}

type FloatingDialogProps = DialogProps & { returnFocus: (event: Event) => void }

/** A dialog over the page, with the focus inside. */
export function FloatingDialog(props: FloatingDialogProps) {
  const { title, description, children, footer, onLeave, returnFocus } = props
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
