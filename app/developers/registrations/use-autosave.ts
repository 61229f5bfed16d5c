/** Saves a form as it is typed, one request at a time. */
import { useFetcher } from '@remix-run/react'
import { type FormEvent, useEffect, useRef } from 'react'

const autosaveAfterMs = 1_000

export function useAutosave<Action>(isOn: boolean) {
  const autosave = useFetcher<Action>()
  const typed = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const busy = useRef(false)
  /** Typed in and not sent yet. */
  const unsent = useRef<HTMLFormElement | null>(null)

  useEffect(() => {
    busy.current = autosave.state !== 'idle'
  }, [autosave.state])
  useEffect(() => {
    // Leaving the page during the pause saves what was typed.
    const leave = () => {
      clearTimeout(timer.current)
      const form = unsent.current
      unsent.current = null
      if (form) void fetch(form.action, { method: 'POST', body: fieldsOf(form), keepalive: true })
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  /** A while after the last key; never a picture, and never before the first save. */
  const later = (event: FormEvent<HTMLFormElement>) => {
    if (!isOn || (event.target as HTMLInputElement).type === 'file') return
    clearTimeout(timer.current)
    unsent.current = event.currentTarget
    timer.current = setTimeout(save, autosaveAfterMs)
  }

  const save = () => {
    if (!typed.current) return
    // One at a time: the next needs the version that this one gives.
    if (busy.current) {
      timer.current = setTimeout(save, autosaveAfterMs)
      return
    }
    unsent.current = null
    autosave.submit(fieldsOf(typed.current), { method: 'post' })
  }

  const stop = () => {
    clearTimeout(timer.current)
    unsent.current = null
  }

  return { autosave, typed, later, stop }
}

function fieldsOf(form: HTMLFormElement): FormData {
  const fields = new FormData(form)
  fields.delete('logoFile')
  fields.set('intent', 'autosave')
  fields.set('idempotencyKey', crypto.randomUUID())
  return fields
}
