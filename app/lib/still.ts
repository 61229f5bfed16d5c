import { useMatches } from '@remix-run/react'

/**
 * Whether this page stays as the server made it: a route says so with `handle.still`, and `entry.still.ts` is its
 * script. Never so in the browser, where React only runs on pages that it has taken over.
 */
export function useIsStill(): boolean {
  const isMarked = useMatches().some(({ handle }) => (handle as { still?: true } | undefined)?.still)
  return isMarked && typeof document === 'undefined'
}
