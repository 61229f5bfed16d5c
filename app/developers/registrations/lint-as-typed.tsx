import { useEffect, useRef } from 'react'
import { isTypedIn } from '../../components/ui/typed-input.ts'
import type { TypedReport } from './typed-report.ts'

const lintAfterMs = 400

interface LintAsTypedProps {
  /** The address that looks at the form. */
  to: string
  onReport: (report: TypedReport) => void
}

/** Inside a form: has it checked a moment after the last key. Without a script, sending the form checks it. */
export function LintAsTyped({ to, onReport }: LintAsTypedProps) {
  const place = useRef<HTMLInputElement>(null)
  const report = useRef(onReport)
  report.current = onReport

  useEffect(() => {
    const form = place.current?.form
    if (!form) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let asking: AbortController | undefined
    const look = async () => {
      asking = new AbortController()
      const body = new FormData(form)
      body.delete('logoFile')
      try {
        const response = await fetch(to, { method: 'POST', body, signal: asking.signal })
        if (response.ok) report.current(await response.json())
      } catch {
        // Replaced by a newer request, or no connection: the next key asks again.
      }
    }
    const later = () => {
      clearTimeout(timer)
      asking?.abort()
      timer = setTimeout(look, lintAfterMs)
    }
    form.addEventListener('input', later)
    if (isTypedIn(form)) later()
    return () => {
      form.removeEventListener('input', later)
      clearTimeout(timer)
      asking?.abort()
    }
  }, [to])

  return <input ref={place} type="hidden" disabled />
}
