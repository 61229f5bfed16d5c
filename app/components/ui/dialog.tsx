import { lazy, Suspense, useState } from 'react'
import type { DialogProps } from './floating-dialog.tsx'
import { useHydrated } from './hydrated.ts'
import { useReturnFocus } from './return-focus.ts'

// Its library is loaded when the first dialog opens. A newer release may have removed the file, and the decision must still be possible.
const load = async () => (await import('./floating-dialog.tsx')).FloatingDialog
const FloatingDialog = lazy(async () => ({ default: await load().catch(() => DialogCard) }))

/**
 * Asks for one decision. A dialog that a script opens floats over the page. One that the server rendered is a card on
 * the page with the same words and buttons, so that it works without a script.
 */
export function Dialog(props: DialogProps) {
  const [floats] = useState(useHydrated())
  const returnFocus = useReturnFocus()
  if (!floats) return <DialogCard {...props} />
  return (
    <Suspense>
      <FloatingDialog {...props} returnFocus={returnFocus} />
    </Suspense>
  )
}

function DialogCard({ title, description, children, footer }: DialogProps) {
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
