import { useEffect, useState } from 'react'
import type { Call } from '../../shared/activity/call-table.tsx'

const shownMax = 200

type State = 'off' | 'following' | 'lost'

interface LoggedCall extends Call {
  /** The name of the key or app. */
  caller: string
}

/** The calls of a page with those that came since, newest first. @param address of the stream, from where the page ends; null to follow nothing */
export function useLiveCalls(
  calls: readonly LoggedCall[],
  address: string | null,
): { calls: LoggedCall[]; state: State } {
  const [fresh, setFresh] = useState<readonly LoggedCall[]>([])
  const [state, setState] = useState<State>('off')

  useEffect(() => {
    setFresh([])
    setState('off')
    if (address === null) return
    const source = new EventSource(address)
    source.onopen = () => setState('following')
    // The browser tries again by itself, unless it was refused.
    source.onerror = () => setState('lost')
    source.onmessage = ({ data }) => {
      const call = JSON.parse(String(data)) as Omit<LoggedCall, 'at'> & { at: string }
      setFresh((known) =>
        known.some(({ correlationId }) => correlationId === call.correlationId)
          ? known
          : [{ ...call, at: new Date(call.at) }, ...known].slice(0, shownMax),
      )
    }
    return () => source.close()
  }, [address])

  const known = new Set(calls.map(({ correlationId }) => correlationId))
  return {
    calls: [...fresh.filter(({ correlationId }) => !known.has(correlationId)), ...calls],
    state,
  }
}
