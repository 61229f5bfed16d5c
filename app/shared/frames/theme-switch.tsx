import { useFetcher, useLocation } from '@remix-run/react'
import { useEffect } from 'react'
import { Moon, Sun } from '../../components/ui/icons.ts'

/**
 * Switches to the other theme. Both buttons are in the page and a style shows one, because only the
 * browser knows which theme the system asks for.
 */
export function ThemeSwitch() {
  const fetcher = useFetcher({ key: 'theme' })
  const { pathname, search } = useLocation()
  const chosen = fetcher.formData?.get('theme')

  // The page changes at once, before the response sets the cookie.
  useEffect(() => {
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
  }, [chosen])

  return (
    <fetcher.Form method="post" action="/theme" className="theme">
      <input type="hidden" name="back" value={pathname + search} />
      <button
        className="btn plain icon to-dark"
        type="submit"
        name="theme"
        value="dark"
        aria-label="Switch to the dark theme"
      >
        <Sun className="i" />
      </button>
      <button
        className="btn plain icon to-light"
        type="submit"
        name="theme"
        value="light"
        aria-label="Switch to the light theme"
      >
        <Moon className="i" />
      </button>
    </fetcher.Form>
  )
}
