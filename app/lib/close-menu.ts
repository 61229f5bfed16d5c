/** Closes a menu on Escape, on a click beside it, and when one of its links is followed. Browser only. */
export function closeMenuOn(event: Event, menu: HTMLDetailsElement | null): void {
  if (!menu?.open) return
  if (event instanceof KeyboardEvent) {
    if (event.key !== 'Escape') return
    menu.querySelector('summary')?.focus()
  } else if (event.target instanceof Element && menu.contains(event.target)) {
    // A link to a part of the same page moves without a new location.
    if (!event.target.closest('a')) return
  }
  menu.open = false
}
