/** For window's `beforeunload`. A browser asks only a person who did something on the page, and logs an error else. */
export function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (navigator.userActivation?.hasBeenActive !== false) event.preventDefault()
}
