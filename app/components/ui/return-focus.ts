import { useState } from 'react'

/**
 * For a dialog that no trigger of the library opened: where the focus was goes on from there when it closes. Read while
 * the dialog is first drawn, as the dialog takes the focus before any effect runs.
 */
export function useReturnFocus() {
  const [before] = useState(() => (typeof document === 'undefined' ? null : document.activeElement))
  return (event: Event) => {
    if (!(before instanceof HTMLElement) || !before.isConnected || before === document.body) return
    event.preventDefault()
    before.focus()
  }
}
