import {
  type FormMetadata,
  getFormProps,
  getInputProps,
  getSelectProps,
  getTextareaProps,
  type SubmissionResult,
  useForm,
} from '@conform-to/react'
import { getZodConstraint, parseWithZod } from '@conform-to/zod/v4'
import { Form, useActionData } from '@remix-run/react'
import type { ComponentProps, ReactNode } from 'react'
import type { z } from 'zod'
import { type ButtonLook, LinkButton, SubmitButton } from './button.tsx'
import { ContractContext } from './contract-field.ts'
import { TriangleAlert } from './icons.ts'
import { KeepInput } from './keep-input.tsx'

interface ContractFormProps
  extends Omit<ComponentProps<typeof Form>, 'method' | 'defaultValue' | 'hidden' | 'title'> {
  schema: z.ZodType
  title?: string
  /** Field name → label, in the order of the page. Inside the form a field needs only its name. */
  labels: Readonly<Record<string, string>>
  /** Answer to this form, where a page has several; otherwise the page's action data has it. */
  lastResult?: SubmissionResult<string[]> | null | undefined
  defaultValue?: Record<string, unknown> | undefined
  hidden?: Readonly<Record<string, string | number>>
  /** Keeps unsent input in this tab under this name. */
  keepAs?: string
  /** Label of the submit button, or what takes its place; left out where a child submits. */
  button?: ReactNode
  busy?: string
  look?: ButtonLook
  /** Names the form to an action that takes several. */
  intent?: string
  /** Next to the button: the way to leave. */
  leave?: ReactNode
  /** The page to leave to, where that is all there is beside the button. */
  cancel?: string
  /** The button fills the width, as on sign-in pages. */
  wide?: boolean
}

const propsOf = { input: getInputProps, select: getSelectProps, textarea: getTextareaProps }

/** A form of the contract: the same schema on the server and, once a script runs, while typing. */
export function ContractForm(props: ContractFormProps) {
  const { schema, labels, lastResult, defaultValue, id, hidden, keepAs, ...shown } = props
  const { title, button, busy, look, intent, leave, cancel, wide, children, ...rest } = shown
  const answer = useActionData() as { lastResult?: SubmissionResult<string[]> } | null | undefined
  const result = 'lastResult' in props ? lastResult : answer?.lastResult
  const [form, fields] = useForm<Record<string, string>, unknown, string[]>({
    id,
    lastResult: result as SubmissionResult<string[]> | undefined,
    defaultValue: defaultValue as never,
    constraint: getZodConstraint(schema) as never,
    // Not on leaving a field: the message would push the button away from under the press that left it.
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema }) as never,
  })
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
      {...formProps(form)}
    >
      {keepAs !== undefined && <KeepInput name={keepAs} refused={result?.status === 'error'} />}
      {Object.entries(hidden ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {title && <h2>{title}</h2>}
      <ErrorSummary form={form} fields={fields} labels={labels} />
      <ContractContext.Provider value={{ fields: fields as never, labels, propsOf }}>
        {children}
      </ContractContext.Provider>
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

/** Attributes of a form whose checks are ours alone: with or without a script its faults read the same. */
function formProps<Shape extends Record<string, unknown>>(form: FormMetadata<Shape, string[]>) {
  return { ...getFormProps(form, { ariaAttributes: false }), noValidate: true }
}

interface SummaryProps<Shape extends Record<string, unknown>> {
  form: FormMetadata<Shape, string[]>
  /** Field name → id and label, in the order of the page. */
  fields: Record<string, { id: string; errors?: string[] | undefined }>
  labels: Record<string, string>
}

/** What is wrong, on top of the form, after it was sent: one link to each field. */
function ErrorSummary<Shape extends Record<string, unknown>>({ form, fields, labels }: SummaryProps<Shape>) {
  const wrong = Object.keys(labels).filter((name) => fields[name]?.errors)
  if (form.status !== 'error' || (wrong.length === 0 && !form.errors)) return null
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
        {form.errors?.map((error) => (
          <p key={error}>
            <strong>{error}</strong>
          </p>
        ))}
        {wrong.map((name) => (
          <p key={name}>
            <a href={`#${fields[name]?.id}`}>
              {asLead(labels[name])} {fields[name]?.errors?.[0]}
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
