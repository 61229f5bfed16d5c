import { type FormMetadata, getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { getZodConstraint, parseWithZod } from '@conform-to/zod/v4'
import { TriangleAlert } from 'lucide-react'
import type { z } from 'zod'

interface Options<S extends z.ZodType> {
  schema: S
  lastResult: SubmissionResult<string[]> | null | undefined
  defaultValue?: Record<string, unknown>
  id?: string
}

/** A form of the contract: the same schema on the server and, once a script runs, while typing. */
export function useContractForm<S extends z.ZodType<Record<string, unknown>, Record<string, unknown>>>(
  options: Options<S>,
) {
  const { schema, lastResult, defaultValue, id } = options
  return useForm<z.input<S>, z.output<S>, string[]>({
    id,
    lastResult: lastResult as SubmissionResult<string[]> | undefined,
    defaultValue: defaultValue as never,
    constraint: getZodConstraint(schema) as never,
    // Not on leaving a field: the message would push the button away from under the press that left it.
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema }) as never,
  })
}

/** Attributes of a form whose checks are ours alone: with or without a script its faults read the same. */
export function formProps<Shape extends Record<string, unknown>>(form: FormMetadata<Shape, string[]>) {
  return { ...getFormProps(form, { ariaAttributes: false }), noValidate: true }
}

interface SummaryProps<Shape extends Record<string, unknown>> {
  form: FormMetadata<Shape, string[]>
  /** Field name → id and label, in the order of the page. */
  fields: Record<string, { id: string; errors?: string[] | undefined }>
  labels: Record<string, string>
}

/** What is wrong, on top of the form, after it was sent: one link to each field. */
export function ErrorSummary<Shape extends Record<string, unknown>>({
  form,
  fields,
  labels,
}: SummaryProps<Shape>) {
  const wrong = Object.keys(labels).filter((name) => fields[name]?.errors)
  if (form.status !== 'error' || (wrong.length === 0 && !form.errors)) return null
  const head = wrong.length === 1 ? '1 field needs a change.' : `${wrong.length} fields need a change.`
  return (
    <section className="banner bad" role="alert">
      <TriangleAlert className="i" />
      <div>
        {wrong.length > 0 && (
          <p>
            <strong>{head}</strong> Nothing was sent.
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
