/** Saves a form as it is typed, one request at a time. */
import { useFetcher } from '@remix-run/react'
import { type FormEvent, useEffect, useRef } from 'react'

const autosaveAfterMs = 1_000

export function useAutosave<Action>(isOn: boolean) {
  const autosave = useFetcher<Action>()
  const typed = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const busy = useRef(false)

  useEffect(() => {
    busy.current = autosave.state !== 'idle'
  }, [autosave.state])
  useEffect(() => () => clearTimeout(timer.current), [])

  /** A while after the last key; never a picture, and never before the first save. */
  const later = (event: FormEvent<HTMLFormElement>) => {
    if (!isOn || (event.target as HTMLInputElement).type === 'file') return
    clearTimeout(timer.current)
    timer.current = setTimeout(save, autosaveAfterMs)
  }

  const save = () => {
    if (!typed.current) return
    // One at a time: the next needs the version that this one gives.
    if (busy.current) {
      timer.current = setTimeout(save, autosaveAfterMs)
      return
    }
    const fields = new FormData(typed.current)
    fields.delete('logoFile')
    fields.set('intent', 'autosave')
    fields.set('idempotencyKey', crypto.randomUUID())
    autosave.submit(fields, { method: 'post' })
  }

  const stop = () => clearTimeout(timer.current)

  return { autosave, typed, later, stop }
}
