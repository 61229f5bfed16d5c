import { Form, Link, useNavigation } from '@remix-run/react'
import { useRef } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodedText } from '../../components/ui/coded-text.tsx'
import { Play, TriangleAlert } from '../../components/ui/icons.ts'
import type { Filled, OperationField, OperationPage } from '../../shared/operations/operation.ts'
import { ChoiceList, type ChoiceListProps } from '../inputs/choice-list.tsx'
import { inputProps } from '../inputs/input-props.ts'
import type { RecordChoices } from '../inputs/record-choices.server.ts'
import { KeyChoice, type KeyChoiceProps } from './key-choice.tsx'

interface RequestFormProps {
  operation: OperationPage
  filled: Filled
  choices: RecordChoices
  choice: KeyChoiceProps
  fault: { field: string | null; message: string } | null
}

/** An ordinary form: without JavaScript it is posted, and the page returns with the response. */
export function RequestForm({ operation, filled, choices, choice, fault }: RequestFormProps) {
  const form = useRef<HTMLFormElement>(null)
  // While the page is only read anew the answer stands there already, and the next call may be made.
  const { state, formMethod } = useNavigation()
  const sending = state === 'submitting' && formMethod === 'POST'
  return (
    <Form
      ref={form}
      method="post"
      className="stack"
      // What is wrong is for the API to say: its refusals are worth seeing.
      noValidate
      preventScrollReset
      onSubmit={(event) => sending && event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit()
      }}
    >
      <KeyChoice {...choice} />
      {fault && (
        <p className="err" role="alert">
          <TriangleAlert className="i" />
          {fault.field === null ? '' : `${fault.field}: `}
          {fault.message}
        </p>
      )}
      <div className="ex-fields">
        {operation.fields.map((field) => (
          <RequestField
            key={field.input}
            field={field}
            value={filled[field.input] ?? ''}
            bad={fault?.field === field.name}
            records={(field.of && choices[field.of]) ?? []}
          />
        ))}
      </div>
      {operation.bodyExample !== null && (
        <div className="field">
          <label htmlFor="ex-body">Body, JSON</label>
          <textarea
            className="input mono ex-body"
            id="ex-body"
            name="body"
            rows={Math.min(18, (filled.body ?? '').split('\n').length + 1)}
            spellCheck={false}
            defaultValue={filled.body ?? ''}
          />
        </div>
      )}
      <div className="row">
        <Button type="submit" look="primary" aria-busy={sending || undefined}>
          <Play className="i" />
          {sending ? 'Sending' : 'Send'}
        </Button>
        <kbd className="needs-script">Ctrl Enter</kbd>
      </div>
    </Form>
  )
}

interface FieldProps {
  field: OperationField
  value: string
  bad: boolean
  records: ChoiceListProps['choices']
}

function RequestField({ field, value, bad, records }: FieldProps) {
  const id = `ex-${field.input}`
  const shared = {
    id,
    name: field.input,
    defaultValue: value,
    'aria-describedby': `${id}-hint`,
    'aria-invalid': bad || undefined,
  }
  return (
    <div className={bad ? 'field bad' : 'field'}>
      <label htmlFor={id}>
        <code>{field.name}</code>
        {field.place === 'header' && <span className="muted"> header</span>}
      </label>
      {field.kind === 'choice' ? (
        <select className="input mono" {...shared}>
          <option value="">{field.placeholder ? `not sent (${field.placeholder})` : 'not sent'}</option>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          className="input mono"
          {...shared}
          {...inputProps(field)}
          list={records.length > 0 ? `${id}-list` : undefined}
        />
      )}
      <ChoiceList id={`${id}-list`} choices={records} />
      <p className="hint" id={`${id}-hint`}>
        <CodedText>{field.description}</CodedText>
        {field.min !== undefined && field.max !== undefined && ` ${field.min} to ${field.max}.`}
      </p>
    </div>
  )
}

interface Suggestion {
  label: string
  search: string
}

/** Values that are filled in by a link, so that no script is needed. */
export function Suggestions({ title, list }: { title: string; list: readonly Suggestion[] }) {
  if (list.length === 0) return null
  return (
    <section className="stack tight" aria-label={title}>
      <h2>{title}</h2>
      <div className="row ex-chips">
        {list.map(({ label, search }) => (
          <Link key={label} className="btn sm" to={{ search }} preventScrollReset>
            {label}
          </Link>
        ))}
      </div>
    </section>
  )
}
