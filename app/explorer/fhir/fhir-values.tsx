import { ChoiceList, type ChoiceListProps } from '../inputs.tsx'
import {
  type BuilderField,
  type Comparison,
  comparisonField,
  comparisons,
  datePrefixes,
  valueField,
} from './fhir-field.ts'

export interface ValuesProps {
  fields: readonly BuilderField[]
  choices: Readonly<Record<string, ChoiceListProps['choices']>>
  /** What was sent last, by the names of fields. */
  values: Readonly<Record<string, readonly string[]>>
  /** Whose token: a patient's own record needs no `patient`. */
  isPatient: boolean
  /** The chart that a clinician looks into. */
  about: string
  wrong: { field: string; message: string } | null
}

/** A field for every search parameter, of its kind: those that are asked for most, and the others in a fold. */
export function FhirValues({ fields, ...shared }: ValuesProps) {
  const rest = fields.filter(({ isMain }) => !isMain)
  const isInUse = rest.some(({ name }) => {
    const said = shared.values[comparisonField(name)] ?? []
    return (
      shared.wrong?.field === valueField(name) ||
      shared.values[valueField(name)]?.some((value) => value !== '') ||
      (shared.values[valueField(name)]?.length ?? 0) > 1 ||
      said.some((each) => each !== '' && each !== 'eq')
    )
  })
  return (
    <>
      <div className="builder-values">
        {fields
          .filter(({ isMain }) => isMain)
          .map((field) => (
            <Value key={field.name} field={field} {...shared} />
          ))}
      </div>
      {rest.length > 0 && (
        <details className="ex-fold builder-fold" open={isInUse}>
          <summary>
            {rest.length === 1 ? 'Another parameter' : `${rest.length} more parameters`}:{' '}
            <span className="mono small">{rest.map(({ name }) => name).join(', ')}</span>
          </summary>
          <div className="builder-values">
            {rest.map((field) => (
              <Value key={field.name} field={field} {...shared} />
            ))}
          </div>
        </details>
      )}
    </>
  )
}

type ValueProps = Omit<ValuesProps, 'fields'> & { field: BuilderField }

function Value({ field, choices, values, isPatient, about, wrong }: ValueProps) {
  const { name, type, input } = field
  const id = valueField(name)
  const offered = isPatient && input === 'person' ? [] : (choices[name] ?? [])
  const usual = input === 'person' && !isPatient ? about : ''
  const last = values[id] ?? [usual]
  const fault = wrong?.field === id ? wrong.message : null
  return (
    <div className={fault ? 'field bad' : 'field'}>
      <label htmlFor={id}>
        {name} <span className="muted small">{type}</span>
      </label>
      {last.map((value, row) => (
        <Compared
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added at the end
          key={row}
          field={field}
          row={row}
          comparison={values[comparisonField(name)]?.[row] ?? 'eq'}
        >
          <input
            className="input mono"
            id={row === 0 ? id : `${id}-${row + 1}`}
            name={id}
            aria-label={row === 0 ? undefined : `${name}, value ${row + 1}`}
            defaultValue={value}
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholderOf(field, isPatient)}
            list={offered.length > 0 ? `${id}-list` : undefined}
            aria-invalid={fault ? true : undefined}
            aria-describedby={fault ? `${id}-error` : undefined}
          />
        </Compared>
      ))}
      <ChoiceList id={`${id}-list`} choices={offered} />
      {fault && (
        <p className="err" id={`${id}-error`}>
          {fault}
        </p>
      )}
    </div>
  )
}

interface ComparedProps {
  field: BuilderField
  row: number
  comparison: string
  children: React.ReactNode
}

/** How the value is compared, before it. */
function Compared({ field: { name, comparisons: offered }, row, comparison, children }: ComparedProps) {
  if (offered.length === 0) return children
  const which = row === 0 ? name : `${name}, value ${row + 1}`
  return (
    <div className="pair">
      <select
        className="input"
        name={comparisonField(name)}
        aria-label={`${which}: comparison`}
        defaultValue={comparison}
      >
        {offered.map((each) => (
          <option key={each} value={each} title={codeOf(each)}>
            {comparisons[each]}
          </option>
        ))}
      </select>
      {children}
    </div>
  )
}

/** As in the URL. */
function codeOf(comparison: Comparison): string | undefined {
  if (comparison === 'eq') return undefined
  if (datePrefixes.some((each) => each === comparison)) return comparison
  if (comparison === 'missing') return ':missing=true'
  return comparison === 'present' ? ':missing=false' : `:${comparison}`
}

function placeholderOf({ input }: BuilderField, isPatient: boolean): string | undefined {
  switch (input) {
    case 'person':
      return isPatient ? 'default: the token’s patient' : 'id'
    case 'date':
      return '2026-01-31'
    case 'code':
      return 'code, system|code'
    case 'record':
      return 'id or Type/id'
    case 'id':
      return 'id'
    case 'canonical':
      return 'https://…'
    case 'text':
      return undefined
  }
}
