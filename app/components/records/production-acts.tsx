import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { SubmitButton } from '../ui/button.tsx'
import { FieldFault, useTextWarning } from '../ui/text-warning.tsx'

interface ActProps {
  /** Names the step to the server. */
  intent: string
  version: number
  /** Made with the page, and different for each of its forms. */
  onceKey: string
  title?: string
  button: string
  busy?: string
  look?: 'primary' | 'outline' | 'danger'
  /** Asks for words, under this label. */
  reason?: string
  reasonName?: 'reason' | 'text'
  plain?: boolean
  children?: ReactNode
}

/** One step, one form: it says which version of the request it was made for. Works without a script. */
export function Act(props: ActProps) {
  const { intent, version, onceKey, title, button, look = 'outline', reason, reasonName = 'reason' } = props
  return (
    <Form method="post" className={props.plain ? 'stack' : 'card pad stack'} aria-label={title ?? button}>
      {title && <h2>{title}</h2>}
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="idempotencyKey" value={`${onceKey}-${intent}`} />
      {props.children}
      {reason && <Words id={`${intent}-words`} name={reasonName} label={reason} intent={intent} />}
      <div>
        <SubmitButton look={look} name="intent" value={intent} busy={props.busy ?? 'Sending'}>
          {button}
        </SubmitButton>
      </div>
    </Form>
  )
}

interface WordsProps {
  id: string
  name: string
  label: string
  hint?: string
  value?: string
  fault?: string | undefined
  rows?: number
  /** Of its form, on a page with several. */
  intent?: string
}

/** Several lines, with their label above and what is wrong below. */
export function Words({ id, name, label, hint, value, fault, rows = 3, intent }: WordsProps) {
  const bad = useTextWarning({ field: name, intent }) !== null || fault !== undefined
  const described = [hint ? `${id}-hint` : '', bad ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div className={bad ? 'field bad' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        className="input"
        defaultValue={value}
        aria-invalid={bad ? true : undefined}
        aria-describedby={described || undefined}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldFault field={name} intent={intent} fault={fault} id={`${id}-fault`} />
    </div>
  )
}

interface LineProps extends Omit<WordsProps, 'rows'> {
  type?: 'text' | 'email' | 'number'
  mono?: boolean
}

export function Line({ id, name, label, hint, value, fault, type = 'text', mono, intent }: LineProps) {
  const bad = useTextWarning({ field: name, intent }) !== null || fault !== undefined
  const described = [hint ? `${id}-hint` : '', bad ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div className={bad ? 'field bad' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        className={mono ? 'input mono' : 'input'}
        defaultValue={value}
        aria-invalid={bad ? true : undefined}
        aria-describedby={described || undefined}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldFault field={name} intent={intent} fault={fault} id={`${id}-fault`} />
    </div>
  )
}

interface PickProps {
  id: string
  name: string
  label: string
  options: readonly (readonly [value: string, label: string])[]
  value?: string
  fault?: string | undefined
  hint?: string
}

/** One of many, folded away. */
export function Pick({ id, name, label, options, value, fault, hint }: PickProps) {
  return (
    <div className={fault ? 'field bad' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        className="input"
        defaultValue={value}
        aria-invalid={fault ? true : undefined}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      {hint && <p className="hint">{hint}</p>}
      {fault && <p className="err">{fault}</p>}
    </div>
  )
}

interface TicksProps {
  name: string
  legend: string
  hint?: string
  options: readonly (readonly [value: string, label: string, sub?: string])[]
  ticked: readonly string[]
  fault?: string | undefined
}

/** More than these stand in columns. */
const manyOptions = 12

/** Any of several. */
export function Ticks({ name, legend, hint, options, ticked, fault }: TicksProps) {
  const look = [fault && 'check-bad', options.length > manyOptions && 'many'].filter(Boolean)
  return (
    <fieldset className={['choices', ...look].join(' ')}>
      <legend>{legend}</legend>
      {hint && <p className="hint">{hint}</p>}
      {options.map(([value, label, sub]) => (
        <label className="check" key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={ticked.includes(value)} />
          <span>
            {label}
            {sub && <span className="sub">{sub}</span>}
          </span>
        </label>
      ))}
      {fault && <p className="err">{fault}</p>}
    </fieldset>
  )
}
