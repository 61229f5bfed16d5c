import { prefixes, prefixField, valueField } from '../../explorer/fhir-request.ts'

export interface ValuesProps {
  parameters: readonly { name: string; type: string }[]
  codes: Readonly<Record<string, readonly { value: string; display: string }[]>>
  people: readonly { id: string; name: string }[]
  /** What was sent last, by the names of fields. */
  values: Readonly<Record<string, readonly string[]>>
  /** Whose token: a patient's own record needs no `patient`. */
  isPatient: boolean
  wrong: { field: string; message: string } | null
}

/** A field for every search parameter, of its kind. */
export function FhirValues(props: ValuesProps) {
  return (
    <div className="builder-values">
      {props.parameters.map((parameter) => (
        <Value key={parameter.name} parameter={parameter} {...props} />
      ))}
    </div>
  )
}

const prefixWords: Record<(typeof prefixes)[number], string> = {
  eq: 'is',
  ne: 'is not',
  gt: 'after',
  ge: 'from',
  lt: 'before',
  le: 'until',
  sa: 'starts after',
  eb: 'ends before',
  ap: 'about',
}

function Value({
  parameter: { name, type },
  codes,
  people,
  values,
  isPatient,
  wrong,
}: ValuesProps & { parameter: ValuesProps['parameters'][number] }) {
  const field = valueField(name)
  const known = name === 'patient' || (name === '_id' && !isPatient) ? [] : (codes[name] ?? [])
  const choices = name === 'patient' ? people.map((each) => ({ value: each.id, display: each.name })) : known
  const last = values[field]?.[0] ?? ''
  const fault = wrong?.field === field ? wrong.message : null
  const input = (
    <input
      className="input mono"
      id={field}
      name={field}
      defaultValue={last}
      maxLength={500}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholderOf(name, type, isPatient)}
      list={choices.length > 0 ? `${field}-list` : undefined}
      aria-invalid={fault ? true : undefined}
      aria-describedby={fault ? `${field}-error` : undefined}
    />
  )
  return (
    <div className={fault ? 'field bad' : 'field'}>
      <label htmlFor={field}>
        {name} <span className="muted small">{type}</span>
      </label>
      {type === 'date' ? (
        <div className="pair">
          <select
            className="input"
            name={prefixField(name)}
            aria-label={`${name}: how the date compares`}
            defaultValue={values[prefixField(name)]?.[0] ?? 'eq'}
          >
            {prefixes.map((prefix) => (
              <option key={prefix} value={prefix}>
                {prefixWords[prefix]}
              </option>
            ))}
          </select>
          {input}
        </div>
      ) : (
        input
      )}
      {choices.length > 0 && (
        <datalist id={`${field}-list`}>
          {choices.map(({ value, display }) => (
            <option key={value} value={value}>
              {display}
            </option>
          ))}
        </datalist>
      )}
      {fault && (
        <p className="err" id={`${field}-error`}>
          {fault}
        </p>
      )}
    </div>
  )
}

function placeholderOf(name: string, type: string, isPatient: boolean): string | undefined {
  if (name === 'patient') return isPatient ? 'the token’s own' : 'pt-wren-testwell'
  if (type === 'date') return '2026-01-31'
  if (type === 'token') return 'code or system|code'
  return type === 'reference' ? 'Type/id' : undefined
}
