import { useFetchers, useLocation, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/**
 * A page that a script puts in the place of another leaves the focus in the navigation, or nowhere: a screen
 * reader says nothing, and Tab begins at the top. The heading of a new page takes the focus, unless the page gave it to
 * something of its own. On the same page it does so when the focused element went away, such as a row's last button.
 */
export function useFocusAfterMove(): void {
  const { pathname, hash, key } = useLocation()
  const { state } = useNavigation()
  const fetchers = useFetchers()
  const isBusy = state !== 'idle' || fetchers.length > 0
  const shownPath = useRef(pathname)
  /** False on a page that the browser has just loaded: the browser announces it. */
  const hadFocus = useRef(false)

  useEffect(() => {
    const noteFocus = () => {
      hadFocus.current = true
    }
    document.addEventListener('focusin', noteFocus)
    return () => document.removeEventListener('focusin', noteFocus)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes with every navigation
  useEffect(() => {
    if (isBusy) return
    const moved = shownPath.current !== pathname
    shownPath.current = pathname
    // A dialog gives the focus back after it is gone, and a form gives it to its first fault.
    const frame = requestAnimationFrame(() => {
      const { activeElement: active, body } = document
      const isLost = active === null || active === body
      if (isLost ? hadFocus.current : moved && !hash && isFrame(active)) focusHeading()
    })
    return () => cancelAnimationFrame(frame)
  }, [key, isBusy])
}

/** Whether the element is outside the page's content, such as in the sidebar or the header. */
const isFrame = (element: Element) => !element.closest('main, [role=dialog]')

function focusHeading(): void {
  const heading =
    document.querySelector<HTMLElement>('#main h1') ?? document.querySelector<HTMLElement>('#main')
  if (!heading) return
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  // The router restores the scroll position.
  heading.focus({ preventScroll: true })
}
