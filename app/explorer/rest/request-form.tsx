import { Form, Link, useNavigation } from '@remix-run/react'
import { useRef } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Button } from '../../components/ui/button.tsx'
import { CodedText } from '../../components/ui/coded-text.tsx'
import { Play, TriangleAlert } from '../../components/ui/icons.ts'
import type { Filled, OperationPage } from '../../shared/operations/operation.ts'
import type { RecordChoices } from '../choices.server.ts'
import { Parameter } from '../inputs.tsx'

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
        {operation.fields.map(({ input, name, place, description, of, required: _, ...field }) => (
          <Parameter
            {...field}
            key={input}
            id={`ex-${input}`}
            name={input}
            label={
              <>
                <code>{name}</code>
                {place === 'header' && <span className="muted"> header</span>}
              </>
            }
            value={filled[input] ?? ''}
            isWrong={fault?.field === name}
            none={field.placeholder ? `not sent (${field.placeholder})` : 'not sent'}
            records={(of && choices[of]) ?? []}
            hint={
              <>
                <CodedText>{description}</CodedText>
                {field.min !== undefined && field.max !== undefined && ` ${field.min} to ${field.max}.`}
              </>
            }
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

interface KeyChoiceProps {
  practices: readonly {
    slug: string
    name: string
    shared: boolean
    levels: readonly ('read_only' | 'full')[]
  }[]
  practice: { slug: string; shared: boolean }
  level: 'read_only' | 'full'
  signedIn: boolean
}

/** With which key a call is made; the secret stays on the server. Stands inside the form of a call. */
function KeyChoice({ practices, practice, level, signedIn }: KeyChoiceProps) {
  if (!signedIn)
    return (
      <p className="small muted ex-note">
        You aren’t signed in, so calls go to the shared demonstration practice with a read-only key, with a
        few calls a minute. <Link to={paths.signUp}>Sign up</Link> to get your own sandbox with write access.
        The <Link to={paths.sandboxTerms}>sandbox terms</Link> apply.
      </p>
    )
  const mayWrite = practices.some(({ levels }) => levels.includes('full'))
  return (
    <div className="ex-pair">
      <Parameter
        kind="choice"
        id="ex-practice"
        name="practice"
        label="Practice"
        value={practice.slug}
        choices={practices.map(({ slug, name, shared }) => ({
          value: slug,
          label: shared ? `${name} (shared, read-only)` : name,
        }))}
      />
      <Parameter
        kind="choice"
        id="ex-level"
        name="level"
        label="Key level"
        value={level}
        choices={[
          { value: 'read_only', label: 'Read-only' },
          ...(mayWrite ? [{ value: 'full', label: 'Full: read and write' }] : []),
        ]}
        hint="A real key for 60 minutes, created for you. It stays on our server and ends when you sign out."
      />
    </div>
  )
}
