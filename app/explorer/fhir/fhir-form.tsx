import { Form } from '@remix-run/react'
import { SubmitButton } from '../../components/ui/button.tsx'
import { TriangleAlert } from '../../components/ui/icons.ts'
import { ChoiceList } from '../inputs/choice-list.tsx'
import { canRepeat } from './fhir-field.ts'
import type { PersonKind } from './fhir-scopes.ts'
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
          <div className="field">
            <label htmlFor="sort">_sort</label>
            <select className="input" id="sort" name="sort" defaultValue={lastOf('sort')}>
              <option value="">default order</option>
              {type.sorts.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor="count">_count</label>
            <input
              className="input"
              id="count"
              name="count"
              inputMode="numeric"
              maxLength={3}
              defaultValue={lastOf('count') || '10'}
            />
          </div>
        </div>
        <FhirScopes kind={kind} type={type.type} choice={lastOf('scopes') || 'all'} own={lastOf('scope')} />
        <div className="row">
          <SubmitButton busy="Sending" name="interaction" value="search">
            Search
          </SubmitButton>
          <div className="field">
            <label className="sr" htmlFor="id">
              ID of one record {type.type}
            </label>
            <input
              className="input mono"
              id="id"
              name="id"
              maxLength={64}
              placeholder="id"
              defaultValue={lastOf('id')}
              autoComplete="off"
              spellCheck={false}
              list={records.length > 0 ? 'id-list' : undefined}
            />
            <ChoiceList id="id-list" choices={records} />
          </div>
          <SubmitButton look="outline" busy="Sending" name="interaction" value="read">
            Read by ID
          </SubmitButton>
        </div>
        {repeatable.length > 0 && (
          <div className="row level">
            <div className="field">
              <label htmlFor="more">Add a second value (for a date range)</label>
              <select className="input mono" id="more" name="more">
                {repeatable.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </div>
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
