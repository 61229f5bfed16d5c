/** Form fields, and `ContractForm`, which gives them labels, defaults and errors. */
import { Form, useActionData } from '@remix-run/react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { FormPlace, type Refused, useFormField } from '../../lib/form-answer.ts'
import { TriangleAlert } from './icons.ts'
import { KeepInput } from './keep-input.tsx'
import { type ButtonLook, LinkButton, SubmitButton } from './page-parts.tsx'
import { FieldFault, useTextWarning } from './text-warning.tsx'

/** The name finds the field's sent value and error, and in a contract form also its label and default. */
interface FieldProps {
  name: string
  id?: string
  value?: string | undefined
  fault?: string | undefined
  /** By default the label that the contract form has for this name. */
  label?: ReactNode
  /** Hides the label from sight where a heading above the field says the same. */
  quiet?: boolean
  /** Below the field: what to enter, and why, in one sentence. */
  hint?: ReactNode
}

/** Name, value, label, hint and fault of any kind of control. */
function useControl({ quiet, hint, ...rest }: FieldProps) {
  const { place: form, ...field } = useFormField(rest.name)
  const label = rest.label ?? field.label
  if (label === undefined) throw new Error(`the field ${rest.name} has no label`)
  const generated = useId()
  const { name } = rest
  const place = { field: name, ...form }
  const fault = rest.fault ?? field.fault
  const bad = useTextWarning(place) !== null || fault !== undefined
  const inForm = form.about === undefined ? [form.intent, name].filter(Boolean).join('-') : generated
  const id = field.id ?? rest.id ?? inForm
  const hintId = `${id}-hint`
  const faultId = `${id}-fault`
  return {
    control: {
      id,
      name,
      required: field.required,
      defaultValue: field.typed?.[0] ?? rest.value ?? field.initial?.[0],
      'aria-invalid': bad || undefined,
      'aria-describedby': [hint ? hintId : '', bad ? faultId : ''].filter(Boolean).join(' ') || undefined,
    },
    around: { id, label, quiet, hint, hintId, faultId, fault, place, bad },
  }
}

/** Puts the label above the control, and the hint and the error below it. */
function Surround({
  around,
  children,
  count,
}: {
  around: ReturnType<typeof useControl>['around']
  children: ReactNode
  count?: ReactNode
}) {
  const { id, label, quiet, hint, hintId, faultId, fault, place, bad } = around
  return (
    <div className={bad ? 'field bad' : 'field'}>
      <label htmlFor={id} className={quiet ? 'sr' : undefined}>
        {label}
      </label>
      {children}
      {(hint || count) && (
        <div className="below">
          {hint && (
            <p className="hint" id={hintId}>
              {hint}
            </p>
          )}
          {count}
        </div>
      )}
      <FieldFault {...place} fault={fault} id={faultId} />
    </div>
  )
}

export function Fault({ id, fault }: { id?: string | undefined; fault: string | undefined }) {
  if (!fault) return null
  return (
    <p className="err" id={id}>
      <TriangleAlert className="i" />
      {fault}
    </p>
  )
}

interface InputProps
  extends FieldProps,
    Pick<
      ComponentProps<'input'>,
      'autoComplete' | 'inputMode' | 'spellCheck' | 'readOnly' | 'minLength' | 'maxLength' | 'required'
    > {
  type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date' | 'time'
  mono?: boolean
}

export function Field({ type = 'text', mono, ...props }: InputProps) {
  const { name, id, value, fault, label, quiet, hint, ...rest } = props
  const { control, around } = useControl(props)
  return (
    <Surround around={around}>
      <input type={type} {...control} {...rest} className={mono ? 'input mono' : 'input'} />
    </Surround>
  )
}

interface TextAreaProps
  extends FieldProps,
    Pick<ComponentProps<'textarea'>, 'minLength' | 'maxLength' | 'required' | 'spellCheck'> {
  mono?: boolean
  /** The question that the text answers, shown between label and field. */
  lead?: ReactNode
  rows?: number
  /** The required number of characters. A script counts up to it; without one, the hint has to say it. */
  countTo?: number
}

export function TextArea({ countTo, lead, mono, ...props }: TextAreaProps) {
  const { control, around } = useControl(props)
  const {
    name,
    id,
    value,
    fault,
    label,
    quiet,
    hint,
    rows = control.required === undefined ? 3 : 4,
    ...rest
  } = props
  const [length, setLength] = useState(() => lengthOf(control.defaultValue ?? ''))
  const area = useRef<HTMLTextAreaElement>(null)
  // Input typed before this script ran counts too.
  useEffect(() => setLength(lengthOf(area.current?.value ?? '')), [])
  const leadId = `${around.id}-lead`
  const missing = countTo === undefined ? 0 : countTo - length
  const count = countTo !== undefined && (
    <p className="count needs-script" aria-live="polite">
      {missing > 0 ? `${missing} more` : `${length} characters`}
    </p>
  )
  return (
    <Surround around={around} count={count}>
      {lead && <p id={leadId}>{lead}</p>}
      <textarea
        {...control}
        {...rest}
        {...(lead
          ? { 'aria-describedby': [leadId, control['aria-describedby']].filter(Boolean).join(' ') }
          : {})}
        ref={area}
        rows={rows}
        className={mono ? 'input mono' : 'input'}
        onInput={(event) => setLength(lengthOf(event.currentTarget.value))}
      />
    </Surround>
  )
}

const lengthOf = (text: string) => [...text.trim()].length

interface SelectProps extends FieldProps {
  options: readonly { value: string; label: string }[]
}

export function Select({ options, ...props }: SelectProps) {
  const { control, around } = useControl(props)
  return (
    <Surround around={around}>
      <select {...control} className="input">
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Surround>
  )
}

/** Makes options of a contract table that maps values to their names. */
export function optionsOf(names: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }))
}

interface ContractFormProps
  extends Omit<ComponentProps<typeof Form>, 'method' | 'defaultValue' | 'hidden' | 'title'> {
  title?: string
  /** Field name → label, in the order of the page. Inside the form a field needs only its name. */
  labels: Readonly<Record<string, string>>
  /** Fields that may stay empty. */
  optional?: readonly string[]
  defaultValue?: Record<string, unknown> | undefined
  hidden?: Readonly<Record<string, string | number>>
  /** Keeps unsent input in this tab under this name. */
  keepAs?: string
  /** The submit button's label, or an element in its place. Left out if a child submits the form. */
  button?: ReactNode
  busy?: string
  look?: ButtonLook
  /** Names the form to an action that serves several. The form then shows only its own errors. */
  intent?: string
  /** Shown next to the button, such as a link to another page. */
  leave?: ReactNode
  /** Adds a Cancel link to this page next to the button. */
  cancel?: string
  /** The button fills the width, as on sign-in pages. */
  wide?: boolean
}

/** A form of the contract. If the server refuses it, it shows the errors and keeps what was typed. */
export function ContractForm(props: ContractFormProps) {
  const { labels, optional = [], defaultValue = {}, hidden, keepAs, ...shown } = props
  const { title, button, busy, look, intent, leave, cancel, wide, children, ...rest } = shown
  const answer = useActionData() as { lastResult?: Refused | null } | null | undefined
  const last = answer?.lastResult ?? undefined
  const sent = intent === undefined || last?.typed.intent === intent ? last : undefined
  const refused = sent !== undefined && (sent.message !== '' || Object.keys(sent.fields).length > 0)
  const generated = useId()
  const id = props.id ?? generated
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => focusFault(form.current, sent), [sent])
  const submit = (
    <SubmitButton
      look={look ?? 'primary'}
      busy={busy}
      {...(intent !== undefined && { name: 'intent', value: intent })}
    >
      {button}
    </SubmitButton>
  )
  const end = typeof button === 'string' ? submit : button
  return (
    <Form
      className={wide ? 'card pad stack' : 'card pad stack gap-5'}
      {...rest}
      method="post"
      id={id}
      ref={form}
      noValidate
    >
      {keepAs !== undefined && <KeepInput name={keepAs} refused={refused} />}
      {Object.entries(hidden ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {title && <h2>{title}</h2>}
      {refused && <ErrorSummary id={id} refused={sent} labels={labels} />}
      <FormPlace.Provider value={{ contract: { id, labels, defaults: defaultValue, optional, sent } }}>
        {children}
      </FormPlace.Provider>
      {wide || button === undefined ? (
        end
      ) : (
        <div className="row">
          {end}
          {leave}
          {cancel && (
            <LinkButton look="plain" to={cancel}>
              Cancel
            </LinkButton>
          )}
        </div>
      )}
    </Form>
  )
}

function focusFault(form: HTMLFormElement | null, sent: Refused | undefined): void {
  const controls = [...(form?.querySelectorAll<HTMLInputElement>('[name]:not([type=hidden])') ?? [])]
  controls.find(({ name }) => sent?.fields[name] !== undefined)?.focus()
}

interface ErrorSummaryProps {
  id: string
  refused: Refused
  /** Field name → label, in the order of the page. */
  labels: Readonly<Record<string, string>>
}

/** Lists the errors above a refused form, with a link to each field. */
function ErrorSummary({ id, refused, labels }: ErrorSummaryProps) {
  const wrong = Object.keys(labels).filter((name) => refused.fields[name] !== undefined)
  if (wrong.length === 0 && refused.message === '') return null
  const head = wrong.length === 1 ? 'Fix 1 field to continue.' : `Fix ${wrong.length} fields to continue.`
  return (
    <section className="banner bad" role="alert">
      <TriangleAlert className="i" />
      <div>
        {wrong.length > 0 && (
          <p>
            <strong>{head}</strong> Nothing was saved.
          </p>
        )}
        {refused.message && (
          <p>
            <strong>{refused.message}</strong>
          </p>
        )}
        {wrong.map((name) => (
          <p key={name}>
            <a href={`#${id}-${name}`}>
              {asLead(labels[name])} {refused.fields[name]}
            </a>
          </p>
        ))}
      </div>
    </section>
  )
}

/** Ends a label with a colon, unless it is a question. */
function asLead(label = ''): string {
  return label.endsWith('?') ? label : `${label}:`
}
