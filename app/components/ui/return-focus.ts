import { useState } from 'react'

/**
 * Gives the focus back when a dialog closes that no trigger of the library opened. The focused element is read in the
 * first render, because the dialog takes the focus before any effect runs.
 */
export function useReturnFocus() {
  const [before] = useState(() => (typeof document === 'undefined' ? null : document.activeElement))
  return (event: Event) => {
    if (!(before instanceof HTMLElement) || !before.isConnected || before === document.body) return
    event.preventDefault()
    before.focus()
  }
}
