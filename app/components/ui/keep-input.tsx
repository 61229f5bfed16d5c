import { useBlocker, useNavigation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { askBeforeLeaving } from '../../lib/ask-before-leaving.ts'
import { Dialog } from './dialog.tsx'
import { Button } from './page-parts.tsx'
import { isTypedIn, putBack, typedIn } from './typed-input.ts'

interface KeepInputProps {
  /** Names the form and its subject. The tab stores the input under this name. */
  name: string
  /** The server refused the form, so its input is not saved. */
  refused?: boolean
}

/**
 * Inside a form, asks before the page is left with unsent input, and restores the input when the form is next opened in
 * this tab. It needs a script.
 */
export function KeepInput({ name, refused = false }: KeepInputProps) {
  const marker = useRef<HTMLDivElement>(null)
  const [unsaved, setUnsaved] = useState(refused)
  const [restored, setRestored] = useState(false)
  const key = `sandpiper-input ${name}`
  const navigation = useNavigation()
  // If the page is left while its form is being sent, the server has accepted the form.
  const sent = useRef(false)
  sent.current = navigation.formData !== undefined
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  )

  useEffect(() => {
    const form = marker.current?.closest('form')
    if (!form) return
    const store = () => {
      setUnsaved(true)
      sessionStorage.setItem(key, JSON.stringify(typedIn(form)))
    }
    if (refused) store()
    else if (putBack(form, sessionStorage.getItem(key))) {
      setRestored(true)
      setUnsaved(true)
    } else if (isTypedIn(form)) store()
    form.addEventListener('input', store)
    return () => {
      form.removeEventListener('input', store)
      if (sent.current) sessionStorage.removeItem(key)
    }
  }, [key, refused])

  useEffect(() => {
    if (!unsaved) return
    window.addEventListener('beforeunload', askBeforeLeaving)
    return () => window.removeEventListener('beforeunload', askBeforeLeaving)
  }, [unsaved])

  const discard = () => {
    sessionStorage.removeItem(key)
    marker.current?.closest('form')?.reset()
    setRestored(false)
    setUnsaved(false)
  }

  return (
    <div ref={marker} hidden={!restored}>
      {restored && (
        <p className="small muted row" role="status">
          Your unsaved input was restored.
          <Button look="plain" size="sm" onClick={discard}>
            Discard input
          </Button>
        </p>
      )}
      {blocker.state === 'blocked' && (
        <Dialog
          title="Leave without saving?"
          description="This form has unsaved input. It stays in this tab until you save or discard it."
          onLeave={blocker.reset}
          footer={
            <>
              <Button look="primary" onClick={blocker.reset}>
                Keep editing
              </Button>
              <Button onClick={blocker.proceed}>Leave page</Button>
            </>
          }
        />
      )}
    </div>
  )
}
