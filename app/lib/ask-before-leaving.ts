/** Handles `beforeunload`. Without a click or key press before, a browser logs an error instead of asking. */
export function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (navigator.userActivation?.hasBeenActive !== false) event.preventDefault()
}
