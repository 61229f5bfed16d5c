/** What runs in the page for journeys without a mouse: each function is sent there by itself, and uses nothing else. */

/** What takes the focus when somebody means this element: itself, the control of a label, or what it is in. */
export function targetOf(element: Node): HTMLElement | null {
  const focusable = 'a[href], button, summary, input, select, textarea, [tabindex]:not([tabindex="-1"])'
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return null
  const control = element.closest('label')?.control
  const found = element.matches(focusable) ? element : (control ?? element.closest(focusable))
  return found instanceof HTMLElement ? found : null
}

/** Whether Tab is the shorter way from where the focus is, or Shift and Tab. */
export function listTabStops(target: HTMLElement | null): { forwards: boolean } {
  const selector =
    'a[href], button:enabled, summary, input:enabled, select:enabled, textarea:enabled, [tabindex]'
  const stops = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (each) => each.tabIndex >= 0 && each.checkVisibility(),
  )
  const active = document.activeElement
  const at = active instanceof HTMLElement ? stops.indexOf(active) : -1
  const to = target === null ? 0 : stops.indexOf(target)
  const before = (start: Element | null) =>
    start !== null && target !== null
      ? (start.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
      : true
  // From an element that is no stop, such as the heading of a page, the way goes by the order of the document.
  if (at < 0) return { forwards: active === document.body ? to <= stops.length / 2 : before(active) }
  return { forwards: (to - at + stops.length) % stops.length <= stops.length / 2 }
}

type Focus = {
  isThere: boolean
  /** Another radio button of the target's group has the focus. */
  isInGroup: boolean
  /** The element that has the focus without showing it. */
  invisible: string | null
}

export function readFocus(target: HTMLElement | null): Focus {
  const active = document.activeElement
  const isRadio = (each: Element | null): each is HTMLInputElement =>
    each instanceof HTMLInputElement && each.type === 'radio'
  const isInGroup =
    active !== target &&
    isRadio(active) &&
    isRadio(target) &&
    active.name === target.name &&
    active.form === target.form
  const shows = (each: Element | null | undefined) => {
    if (!each) return false
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  }
  const isSomewhere = active !== null && active !== document.body && active.getAttribute('tabindex') !== '-1'
  const around = [active, active?.nextElementSibling, active?.parentElement, active?.closest('label')]
  const isHidden =
    isSomewhere && active instanceof HTMLElement && !active.checkVisibility({ opacityProperty: false })
  const invisible = isSomewhere && (isHidden || !around.some(shows))
  return {
    isThere: active === target && target !== null,
    isInGroup,
    invisible: invisible ? (active?.outerHTML.slice(0, 120) ?? null) : null,
  }
}
