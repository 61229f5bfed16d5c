/** Handles `beforeunload`. Before any click or key press a browser would not ask but log an error. */
export function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (navigator.userActivation?.hasBeenActive !== false) event.preventDefault()
}
