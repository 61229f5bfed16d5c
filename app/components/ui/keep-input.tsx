import { useBlocker, useNavigation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { askBeforeLeaving } from '../../lib/ask-before-leaving.ts'
import { Dialog } from './dialog.tsx'
import { Button } from './page-parts.tsx'
import { isTypedIn, putBack, typedIn } from './typed-input.ts'

interface KeepInputProps {
  /** Of the form, and of what it is about: what was typed is kept in this tab under it. */
  name: string
  /** The form came back with its faults: it is not saved, and shows what was sent. */
  refused?: boolean
}

/**
 * Inside a form: input that was not sent is asked about before the page is left, and is there again when the form is
 * next opened in this tab. Without a script the form is an ordinary one.
 */
export function KeepInput({ name, refused = false }: KeepInputProps) {
  const place = useRef<HTMLDivElement>(null)
  const [unsaved, setUnsaved] = useState(refused)
  const [restored, setRestored] = useState(false)
  const key = `sandpiper-input ${name}`
  const navigation = useNavigation()
  // A form that leads elsewhere when it is sent was taken.
  const sent = useRef(false)
  sent.current = navigation.formData !== undefined
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  )

  useEffect(() => {
    const form = place.current?.closest('form')
    if (!form) return
    const keep = () => {
      setUnsaved(true)
      sessionStorage.setItem(key, JSON.stringify(typedIn(form)))
    }
    if (refused) keep()
    else if (putBack(form, sessionStorage.getItem(key))) {
      setRestored(true)
      setUnsaved(true)
    } else if (isTypedIn(form)) keep()
    form.addEventListener('input', keep)
    return () => {
      form.removeEventListener('input', keep)
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
    place.current?.closest('form')?.reset()
    setRestored(false)
    setUnsaved(false)
  }

  return (
    <div ref={place} hidden={!restored}>
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
