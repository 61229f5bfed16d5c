import { Form, useActionData } from '@remix-run/react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { FormPlace, type Refused } from '../../lib/form-answer.ts'
import { type ButtonLook, LinkButton, SubmitButton } from './button.tsx'
import { TriangleAlert } from './icons.ts'
import { KeepInput } from './keep-input.tsx'

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
  /** Label of the submit button, or what takes its place; left out where a child submits. */
  button?: ReactNode
  busy?: string
  look?: ButtonLook
  /** Names the form to an action that takes several. It shows only the answers to it. */
  intent?: string
  /** Next to the button: the way to leave. */
  leave?: ReactNode
  /** The page to leave to, where that is all there is beside the button. */
  cancel?: string
  /** The button fills the width, as on sign-in pages. */
  wide?: boolean
}

/** A form of the contract. The server checks it; a refused one comes back with its faults and what was typed. */
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

/** The first field with a fault is where its author goes on. */
function focusFault(form: HTMLFormElement | null, sent: Refused | undefined): void {
  const controls = [...(form?.querySelectorAll<HTMLInputElement>('[name]:not([type=hidden])') ?? [])]
  controls.find(({ name }) => sent?.fields[name] !== undefined)?.focus()
}

interface SummaryProps {
  id: string
  refused: Refused
  /** Field name → label, in the order of the page. */
  labels: Readonly<Record<string, string>>
}

/** What is wrong, on top of the form, after it was sent: one link to each field. */
function ErrorSummary({ id, refused, labels }: SummaryProps) {
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

/** A label before its fault: a question needs no colon. */
function asLead(label = ''): string {
  return label.endsWith('?') ? label : `${label}:`
}
