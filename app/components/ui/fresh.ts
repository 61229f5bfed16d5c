import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

/** Reloads the page's data while `goesOn` is set; without a script the reader reloads. */
export function useFresh(goesOn: boolean, everyMs: number): void {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!goesOn || state !== 'idle') return
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') revalidate()
    }, everyMs)
    const back = () => revalidate()
    document.addEventListener('visibilitychange', back, { once: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', back)
    }
  }, [goesOn, everyMs, revalidate, state])
}
