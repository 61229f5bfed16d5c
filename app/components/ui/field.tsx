import { type FieldMetadata, getInputProps, getSelectProps, getTextareaProps } from '@conform-to/react'
import { TriangleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { FieldFault, useTextWarning } from './text-warning.tsx'

interface Around {
  meta: FieldMetadata<string> | FieldMetadata<string | undefined>
  label: ReactNode
  /** Below the label's field: what is wanted, in one sentence. */
  hint?: ReactNode
}

function describedBy(meta: Around['meta'], hint: boolean) {
  return (
    [hint ? meta.descriptionId : '', meta.errors ? meta.errorId : ''].filter(Boolean).join(' ') || undefined
  )
}

/** Label above, hint below, the error below that with its fix. */
function Surround({
  meta,
  label,
  hint,
  children,
  count,
}: Around & { children: ReactNode; count?: ReactNode }) {
  const warning = useTextWarning({ field: meta.name })
  return (
    <div className={meta.errors || warning ? 'field bad' : 'field'}>
      <label htmlFor={meta.id}>{label}</label>
      {children}
      {(hint || count) && (
        <div className="below">
          {hint && (
            <p className="hint" id={meta.descriptionId}>
              {hint}
            </p>
          )}
          {count}
        </div>
      )}
      <FieldFault field={meta.name} fault={meta.errors?.[0]} id={meta.errorId} />
    </div>
  )
}

export function FieldError({ meta }: { meta: { errorId: string; errors?: string[] | undefined } }) {
  if (!meta.errors) return null
  return (
    <p className="err" id={meta.errorId}>
      <TriangleAlert className="i" />
      {meta.errors[0]}
    </p>
  )
}

type InputProps = Around &
  Pick<ComponentProps<'input'>, 'autoComplete' | 'inputMode' | 'spellCheck' | 'readOnly'> & {
    type?: 'text' | 'email' | 'password' | 'search'
    mono?: boolean
  }

export function Field({ meta, label, hint, type = 'text', mono, ...rest }: InputProps) {
  const { key, ...input } = getInputProps(meta as FieldMetadata<string>, { type, ariaAttributes: false })
  return (
    <Surround meta={meta} label={label} hint={hint}>
      <input
        key={key}
        {...input}
        {...rest}
        className={mono ? 'input mono' : 'input'}
        aria-invalid={meta.errors ? true : undefined}
        aria-describedby={describedBy(meta, Boolean(hint))}
      />
    </Surround>
  )
}

interface TextAreaProps extends Around {
  rows?: number
  /** Counts characters towards this number once a script runs; the hint says it in any case. */
  countTo?: number
}

export function TextArea({ meta, label, hint, rows = 4, countTo }: TextAreaProps) {
  const { key, ...area } = getTextareaProps(meta as FieldMetadata<string>, { ariaAttributes: false })
  const [length, setLength] = useState(() => [...String(meta.initialValue ?? '').trim()].length)
  const missing = countTo === undefined ? 0 : countTo - length
  const count = countTo !== undefined && (
    <p className="count needs-script" aria-live="polite">
      {missing > 0 ? `${missing} more` : `${length} characters`}
    </p>
  )
  return (
    <Surround meta={meta} label={label} hint={hint} count={count}>
      <textarea
        key={key}
        {...area}
        rows={rows}
        className="input"
        aria-invalid={meta.errors ? true : undefined}
        aria-describedby={describedBy(meta, Boolean(hint))}
        onInput={(event) => setLength([...event.currentTarget.value.trim()].length)}
      />
    </Surround>
  )
}

interface SelectProps extends Around {
  options: readonly { value: string; label: string }[]
}

/** One of many, folded away. */
export function Select({ meta, label, hint, options }: SelectProps) {
  const { key, ...select } = getSelectProps(meta as FieldMetadata<string>, { ariaAttributes: false })
  return (
    <Surround meta={meta} label={label} hint={hint}>
      <select
        key={key}
        {...select}
        className="input"
        aria-invalid={meta.errors ? true : undefined}
        aria-describedby={describedBy(meta, Boolean(hint))}
      >
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Surround>
  )
}
