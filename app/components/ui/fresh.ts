import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

/** Reloads the page's data every `everyMs` while `isRunning`. Without a script, the reader has to reload. */
export function useFresh(isRunning: boolean, everyMs: number): void {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!isRunning || state !== 'idle') return
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') revalidate()
    }, everyMs)
    const reload = () => revalidate()
    document.addEventListener('visibilitychange', reload, { once: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', reload)
    }
  }, [isRunning, everyMs, revalidate, state])
}
