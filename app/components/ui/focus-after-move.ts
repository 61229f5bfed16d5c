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
  /** A page that the browser has just loaded is announced by the browser: nothing was lost on it. */
  const hadFocus = useRef(false)

  useEffect(() => {
    const note = () => {
      hadFocus.current = true
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes with every move
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

/** Around the page: the sidebar, the header, the skip link. */
const isFrame = (element: Element) => !element.closest('main, [role=dialog]')

function focusHeading(): void {
  const heading =
    document.querySelector<HTMLElement>('#main h1') ?? document.querySelector<HTMLElement>('#main')
  if (!heading) return
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  // Where the page is scrolled to is restored by others.
  heading.focus({ preventScroll: true })
}
