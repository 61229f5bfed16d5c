/** Saves a form as it is typed, one request at a time. Without a connection, the tab stores the input. */
import { useActionData, useFetcher, useNavigation, useRevalidator } from '@remix-run/react'
import { type FormEvent, type MutableRefObject, useEffect, useRef, useState } from 'react'
import { askBeforeLeaving } from '../../lib/ask-before-leaving.ts'
import { isLostAnswer } from '../../lib/lost-connection.ts'
import { isTypedIn, putBack, typedIn } from './typed-input.ts'

const autosaveAfterMs = 1_000
const retryAfterMs = 10_000

interface AutosaveProps {
  isOn: boolean
  /** Names the form and its subject. Without a connection, the tab stores the input under this name. */
  keepAs: string
}

export function useAutosave<Action>({ isOn, keepAs }: AutosaveProps) {
  const key = `sandpiper-unsaved ${keepAs}`
  const autosave = useFetcher<Action>()
  const answer = useActionData()
  const [isLost, setLost] = useState(false)
  const typed = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const busy = useRef(false)
  /** A submit button pressed during a save. The form is sent when the save has ended. */
  const pressed = useRef<{ button: HTMLElement | null } | null>(null)
  const isSending = useRef(false)
  isSending.current = useNavigation().formData !== undefined
  /** The form, while it has input that isn't sent yet. */
  const unsent = useRef<HTMLFormElement | null>(null)

  const save = () => {
    if (!typed.current) return
    clearTimeout(timer.current)
    // A save needs the version that the save before it returns.
    if (busy.current || isSending.current) {
      timer.current = setTimeout(save, autosaveAfterMs)
      return
    }
    unsent.current = null
    busy.current = true
    // The form's own page. The URL may already be that of the next page.
    const action = typed.current.getAttribute('action') ?? undefined
    autosave.submit(fieldsOf(typed.current, key), { method: 'post', action })
  }
  const latestSave = useRef(save)
  latestSave.current = save

  // biome-ignore lint/correctness/useExhaustiveDependencies: a save may end before a render sees it begin, and then only its data changes
  useEffect(() => {
    busy.current = autosave.state !== 'idle'
    const waiting = pressed.current
    if (busy.current || waiting === null) return
    pressed.current = null
    typed.current?.requestSubmit(waiting.button?.isConnected ? waiting.button : null)
  }, [autosave.state, autosave.data])
  useEffect(() => {
    if (autosave.data === undefined) return
    const lost = isLostAnswer(autosave.data)
    setLost(lost)
    if (!lost) sessionStorage.removeItem(key)
  }, [autosave.data, key])
  useEffect(() => {
    if (isLostAnswer(answer)) setLost(true)
  }, [answer])
  useEffect(() => {
    // Saved now: input that the tab kept without a connection, and input typed before this script ran.
    const stored = sessionStorage.getItem(key)
    if (!isOn || !typed.current) return
    if (!putBack(typed.current, stored) && !isTypedIn(typed.current)) return
    unsent.current = typed.current
    timer.current = setTimeout(() => latestSave.current(), autosaveAfterMs)
  }, [isOn, key])
  useEffect(() => {
    if (!isLost) return
    store(key, typed.current)
    const retry = () => latestSave.current()
    const waiting = setInterval(retry, retryAfterMs)
    window.addEventListener('online', retry)
    window.addEventListener('beforeunload', askBeforeLeaving)
    return () => {
      clearInterval(waiting)
      window.removeEventListener('online', retry)
      window.removeEventListener('beforeunload', askBeforeLeaving)
    }
  }, [isLost, key])
  useSaveOnLeave(timer, unsent, key)

  /** Saves a second after the last key. Files are not saved this way. */
  const later = (event: FormEvent<HTMLFormElement>) => {
    if (!isOn || (event.target as HTMLInputElement).type === 'file') return
    clearTimeout(timer.current)
    unsent.current = event.currentTarget
    if (isLost) store(key, event.currentTarget)
    timer.current = setTimeout(save, autosaveAfterMs)
  }

  const stop = (event: FormEvent<HTMLFormElement>) => {
    clearTimeout(timer.current)
    unsent.current = null
    if (!busy.current) return
    event.preventDefault()
    pressed.current = { button: (event.nativeEvent as SubmitEvent).submitter }
  }

  return { autosave, isLost, typed, later, stop }
}

/** Leaving the page during the pause saves the input. */
function useSaveOnLeave(
  timer: MutableRefObject<ReturnType<typeof setTimeout> | undefined>,
  unsent: MutableRefObject<HTMLFormElement | null>,
  key: string,
) {
  const { revalidate } = useRevalidator()
  const showSaved = useRef(revalidate)
  showSaved.current = revalidate
  useEffect(() => {
    const leave = async () => {
      clearTimeout(timer.current)
      const form = unsent.current
      unsent.current = null
      if (!form) return
      await fetch(form.action, { method: 'POST', body: fieldsOf(form, key), keepalive: true }).catch(ignore)
      // The next page may have been loaded before the save.
      showSaved.current()
    }
    const hide = () => void leave()
    window.addEventListener('pagehide', hide)
    return () => {
      window.removeEventListener('pagehide', hide)
      void leave()
    }
  }, [timer, unsent, key])
}

const ignore = () => undefined

function store(key: string, form: HTMLFormElement | null): void {
  if (form) sessionStorage.setItem(key, JSON.stringify(typedIn(form)))
}

/** `follows` names the save before this one: it may still be running, even from before a reload, and raise the version. */
function fieldsOf(form: HTMLFormElement, key: string): FormData {
  const fields = new FormData(form)
  for (const [name, value] of [...fields]) if (value instanceof File) fields.delete(name)
  fields.set('intent', 'autosave')
  const idempotencyKey = crypto.randomUUID()
  fields.set('idempotencyKey', idempotencyKey)
  fields.set('follows', sessionStorage.getItem(`${key} saved`) ?? '')
  sessionStorage.setItem(`${key} saved`, idempotencyKey)
  return fields
}
