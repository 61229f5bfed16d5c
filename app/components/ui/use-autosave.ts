/** Saves a form as it is typed, one request at a time; without a connection the tab keeps it until there is one. */
import { useActionData, useFetcher, useNavigation, useRevalidator } from '@remix-run/react'
import { type FormEvent, type MutableRefObject, useEffect, useRef, useState } from 'react'
import { askBeforeLeaving } from '../../lib/ask-before-leaving.ts'
import { isLostAnswer } from '../../lib/lost-connection.ts'
import { isTypedIn, putBack, typedIn } from './typed-input.ts'

const autosaveAfterMs = 1_000
const retryAfterMs = 10_000

interface AutosaveProps {
  isOn: boolean
  /** Of the form, and of what it is about: without a connection its input is kept in this tab under it. */
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
  /** Pressed during a save: it is sent when that has ended. */
  const pressed = useRef<{ button: HTMLElement | null } | null>(null)
  const isSending = useRef(false)
  isSending.current = useNavigation().formData !== undefined
  /** Typed in and not sent yet. */
  const unsent = useRef<HTMLFormElement | null>(null)

  const save = () => {
    if (!typed.current) return
    clearTimeout(timer.current)
    // One at a time: the next needs the version that this one gives.
    if (busy.current || isSending.current) {
      timer.current = setTimeout(save, autosaveAfterMs)
      return
    }
    unsent.current = null
    busy.current = true
    // To the form's own page, also when the next one has taken its place in the address already.
    const action = typed.current.getAttribute('action') ?? undefined
    autosave.submit(fieldsOf(typed.current, key), { method: 'post', action })
  }
  const latestSave = useRef(save)
  latestSave.current = save

  // biome-ignore lint/correctness/useExhaustiveDependencies: a save may end before a render saw it begin; its answer tells then
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
    keep(key, typed.current)
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

  /** A while after the last key; never a file, and never before the first save. */
  const later = (event: FormEvent<HTMLFormElement>) => {
    if (!isOn || (event.target as HTMLInputElement).type === 'file') return
    clearTimeout(timer.current)
    unsent.current = event.currentTarget
    if (isLost) keep(key, event.currentTarget)
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

function keep(key: string, form: HTMLFormElement | null): void {
  if (form) sessionStorage.setItem(key, JSON.stringify(typedIn(form)))
}

/** Names the save before it, too: a save that is still under way, also of the page before a reload, raises the version. */
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
