import { useEffect, useState } from 'react'
import type { Call } from '../../shared/activity/call-table.tsx'

const shownMax = 200

type State = 'off' | 'following' | 'lost'

/** With the name of the key or app. */
type LoggedCall = Call & { caller: string }

/** A page's calls and those since then, newest first. @param address of the event stream; null turns it off */
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
    // EventSource reconnects on its own, unless the server refused the connection.
    source.onerror = () => setState('lost')
    source.onmessage = ({ data }) => {
      const call = JSON.parse(String(data)) as Omit<LoggedCall, 'at'> & { at: string }
      setFresh((current) =>
        current.some(({ correlationId }) => correlationId === call.correlationId)
          ? current
          : [{ ...call, at: new Date(call.at) }, ...current].slice(0, shownMax),
      )
    }
    return () => source.close()
  }, [address])

  const pageIds = new Set(calls.map(({ correlationId }) => correlationId))
  return {
    calls: [...fresh.filter(({ correlationId }) => !pageIds.has(correlationId)), ...calls],
    state,
  }
}
