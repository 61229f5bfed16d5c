import { useEffect, useRef } from 'react'
import type { LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import type { RegistrationField } from '../../../server/contract/workflows/registration-form.ts'
import { Fault } from '../../components/ui/form.tsx'
import { isTypedIn } from '../../components/ui/typed-input.ts'
import { useFormField } from '../../lib/form-answer.ts'
import { noteOf, type TypedReport } from './typed-report.ts'

interface FieldNotesProps {
  report: (Pick<LintReport, 'findings' | 'unopened'> & Partial<Pick<TypedReport, 'explained'>>) | null
  /** The fields whose findings are shown. */
  fields: readonly RegistrationField[]
  /** The contract form's field for these fields. If it has an error of its own, no second one is shown. */
  shownBy?: string
  /** The field shows its fault itself. */
  withoutFault?: boolean
}

/** Shows beside a field what the linter found while a person typed, and what it has not checked yet. */
export function FieldNotes({ report, fields, shownBy = '', withoutFault = false }: FieldNotesProps) {
  const hasFault = useFormField(shownBy).fault !== undefined
  const notes = fields.map((field) => noteOf(report, field))
  const fault = hasFault || withoutFault ? undefined : notes.find((note) => note.fault !== undefined)?.fault
  const explained = fields.includes('redirectUris') ? (report?.explained ?? []) : []
  const hints = [...notes.flatMap((note) => note.hints), ...explained]
  const isUnopened = notes.some((note) => note.isUnopened)
  return (
    <div aria-live="polite" className="stack tight">
      <Fault fault={fault} />
      {hints.map((hint) => (
        <p key={hint} className="small muted">
          {hint}
        </p>
      ))}
      {isUnopened && (
        <p className="small muted">Looks good. We check that it opens when you submit for production.</p>
      )}
    </div>
  )
}

const lintAfterMs = 400

interface LintAsTypedProps {
  /** The path that checks the form. */
  to: string
  onReport: (report: TypedReport) => void
}

/** Inside a form, checks it a moment after the last key. Without a script, the form is checked when it is sent. */
export function LintAsTyped({ to, onReport }: LintAsTypedProps) {
  const marker = useRef<HTMLInputElement>(null)
  const report = useRef(onReport)
  report.current = onReport

  useEffect(() => {
    const form = marker.current?.form
    if (!form) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let controller = new AbortController()
    let isDue = false
    const check = async () => {
      controller = new AbortController()
      const body = new FormData(form)
      body.delete('logoFile')
      try {
        const response = await fetch(to, { method: 'POST', body, signal: controller.signal })
        if (response.ok) report.current(await response.json())
        isDue = false
      } catch {
        // Replaced by a newer request, or no connection: the next key checks again.
      }
    }
    /** Notes that appear during a press move the button from under the pointer, and the press is lost. */
    const hold = () => {
      controller.abort()
      clearTimeout(timer)
    }
    const later = () => {
      hold()
      timer = setTimeout(check, lintAfterMs)
      isDue = true
    }
    const resume = () => isDue && later()
    const events = { input: later, pointerdown: hold, pointerup: resume, pointercancel: resume }
    for (const [name, listener] of Object.entries(events)) form.addEventListener(name, listener)
    if (isTypedIn(form)) later()
    return () => {
      for (const [name, listener] of Object.entries(events)) form.removeEventListener(name, listener)
      hold()
    }
  }, [to])

  return <input ref={marker} type="hidden" disabled />
}
