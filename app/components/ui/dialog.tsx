import { lazy, Suspense, useState } from 'react'
import type { DialogProps } from './floating-dialog.tsx'
import { useHydrated } from './hydrated.ts'
import { useReturnFocus } from './return-focus.ts'

// Its library is loaded when the first dialog opens. A newer release may have removed the file, and the decision must still be possible.
const load = async () => (await import('./floating-dialog.tsx')).FloatingDialog
const FloatingDialog = lazy(async () => ({ default: await load().catch(() => DialogCard) }))

/**
 * One decision. Opened by a script it floats over the page; on a page that arrived with it (no
 * script yet, or none at all) it is a card in its place, with the same words and buttons.
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
