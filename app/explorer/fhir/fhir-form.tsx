import { Form } from '@remix-run/react'
import { SubmitButton } from '../../components/ui/button.tsx'
import { TriangleAlert } from '../../components/ui/icons.ts'
import { Parameter } from '../inputs.tsx'
import { canRepeat } from './fhir-field.ts'
import type { PersonKind } from './fhir-token.ts'
import { FhirScopes } from './fhir-token-scopes.tsx'
import { FhirValues, type ValuesProps } from './fhir-values.tsx'

interface FormProps extends Omit<ValuesProps, 'fields' | 'isPatient'> {
  /** With the set-up in its query. */
  action: string
  kind: PersonKind
  type: {
    type: string
    fields: ValuesProps['fields']
    includes: readonly string[]
    revIncludes: readonly string[]
    combinations: readonly (readonly string[])[]
    sorts: readonly string[]
  }
}

/** One call: what to ask, and what the token may do. */
export function FhirForm({ action, kind, type, ...values }: FormProps) {
  const { wrong, values: last } = values
  const lastOf = (name: string) => last[name]?.[0] ?? ''
  const records = values.choices._id ?? []
  const repeatable = type.fields.filter(canRepeat).toSorted((one, other) => rankOf(one) - rankOf(other))
  return (
    <Form method="post" action={action} className="card" aria-label={`Call of ${type.type}`} id="call">
      <input type="hidden" name="type" value={type.type} />
      <div className="pad stack loose">
        <h2>Search or read {type.type}</h2>
        {wrong && (
          <p className="err" role="alert">
            <TriangleAlert className="i" />
            {wrong.message}
          </p>
        )}
        <FhirValues {...values} fields={type.fields} isPatient={kind === 'patient'} />
        {type.combinations.length > 0 && (
          <p className="small muted">
            Common combinations: {type.combinations.map((names) => names.join(' + ')).join(', ')}.
          </p>
        )}
        <div className="builder-values">
          <Includes name="include" title="_include" offered={type.includes} last={last.include} />
          <Includes name="revinclude" title="_revinclude" offered={type.revIncludes} last={last.revinclude} />
          <Parameter
            kind="choice"
            id="sort"
            name="sort"
            label="_sort"
            value={lastOf('sort')}
            choices={type.sorts}
            none="default order"
          />
          <Parameter
            kind="digits"
            id="count"
            name="count"
            label="_count"
            value={lastOf('count') || '10'}
            maxLength={3}
          />
        </div>
        <FhirScopes kind={kind} type={type.type} choice={lastOf('scopes') || 'all'} own={lastOf('scope')} />
        <div className="row">
          <SubmitButton busy="Sending" name="interaction" value="search">
            Search
          </SubmitButton>
          <Parameter
            kind="id"
            id="id"
            name="id"
            label={`ID of one record ${type.type}`}
            quiet
            value={lastOf('id')}
            placeholder="id"
            maxLength={64}
            records={records}
          />
          <SubmitButton look="outline" busy="Sending" name="interaction" value="read">
            Read by ID
          </SubmitButton>
        </div>
        {repeatable.length > 0 && (
          <div className="row level">
            <Parameter
              kind="choice"
              id="more"
              name="more"
              label="Add a second value (for a date range)"
              value=""
              choices={repeatable.map(({ name }) => name)}
            />
            <SubmitButton look="outline" busy="Adding" name="interaction" value="more">
              Add a value
            </SubmitButton>
          </div>
        )}
      </div>
    </Form>
  )
}

/** What is asked for from one day to another comes first. */
function rankOf({ type, isMain }: ValuesProps['fields'][number]): number {
  return (type === 'date' ? 0 : 1) + (isMain ? 0 : 2)
}

interface IncludesProps {
  name: string
  title: string
  offered: readonly string[]
  last: readonly string[] | undefined
}

function Includes({ name, title, offered, last = [] }: IncludesProps) {
  if (offered.length === 0) return null
  return (
    <fieldset className="choices">
      <legend>{title}</legend>
      {offered.map((value) => (
        <label className="check" key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={last.includes(value)} />
          <span className="mono small">{value}</span>
        </label>
      ))}
    </fieldset>
  )
}
