import type { InputHTMLAttributes } from 'react'
import { CodedText } from '../../components/ui/coded-text.tsx'
import { SubmitButton } from '../../components/ui/page-parts.tsx'
import { comparisons } from '../../shared/operations/comparisons.ts'
import { placeholders } from '../../shared/operations/input-kinds.ts'
import type { RequestField } from '../../shared/operations/operation.ts'
import { type ExplorerPage, type Fault, textsOf, type Values } from '../page.ts'
import { comparisonOf } from './address.ts'

interface FieldsProps {
  fields: readonly RequestField[]
  values: Values
  choices: ExplorerPage['choices']
  fault: Fault | null
}

/** Required fields are open, optional ones are folded. */
export function Fields({ fields, ...shared }: FieldsProps) {
  const open = fields.filter(({ required, isMain }) => required || isMain)
  const folded = fields.filter((field) => !open.includes(field))
  const folds = [...new Set(folded.map(({ fold = 'Optional parameters' }) => fold))]
  return (
    <>
      {open.length > 0 && <FieldGrid fields={open} {...shared} />}
      {folds.map((name) => {
        const members = folded.filter(({ fold = 'Optional parameters' }) => fold === name)
        return (
          <details
            key={name}
            className="ex-fold"
            open={open.length === 0 || members.some((field) => isInUse(field, shared))}
          >
            <summary>
              {name} ({members.length})
            </summary>
            <FieldGrid fields={members} {...shared} />
          </details>
        )
      })}
    </>
  )
}

function FieldGrid({ fields, ...shared }: FieldsProps) {
  return (
    <div className="ex-fields">
      {fields.map((field) => (
        <Field key={field.input} field={field} {...shared} />
      ))}
    </div>
  )
}

type Shared = Omit<FieldsProps, 'fields'>

function isInUse({ input, name, usual = '' }: RequestField, { values, fault }: Shared): boolean {
  const texts = textsOf(values, input)
  const isCompared = textsOf(values, comparisonOf(input)).some((code) => !['', 'eq', usual].includes(code))
  const isFilled = texts.length > 1 || texts.some((text) => text !== '' && text !== usual)
  return isCompared || isFilled || isAbout(fault, input, name)
}

const isAbout = (fault: Fault | null, input: string, name: string) =>
  fault !== null && (fault.field === input || fault.field === name)

function Field({ field, values, choices, fault }: Shared & { field: RequestField }) {
  const { input, name, place, required, description, kind, type, min, max, usual = '' } = field
  const isWrong = isAbout(fault, input, name)
  const marks = [type ?? (place === 'path' || place === 'header' ? place : ''), required && 'required']
    .filter(Boolean)
    .join(', ')
  const id = `ex-${input}`
  const hint = [
    description,
    kind === 'lines' && 'One per line.',
    kind === 'json' && place !== 'body' && 'As JSON.',
    max !== undefined && `${min ?? 0} to ${max}.`,
  ]
    .filter(Boolean)
    .join(' ')
  const about = [marks && `${id}-mark`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
  const suggested = choices[field.of ?? name] ?? []
  const list = suggested.length > 0 ? `${id}-list` : undefined
  const shared = { field, id, about, isWrong, list }
  const texts = textsOf(values, input)
  const compared = textsOf(values, comparisonOf(input))
  return (
    <div className={isWrong ? 'field bad' : 'field'}>
      <p className="ex-name">
        {kind === 'checks' ? <b>{name}</b> : <label htmlFor={id}>{name}</label>}
        <span className="small muted" id={`${id}-mark`}>
          {marks}
        </span>
      </p>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          <CodedText>{hint}</CodedText>
        </p>
      )}
      {['checks', 'list'].includes(kind) ? (
        <Several {...shared} texts={texts} />
      ) : (
        (texts.length === 0 ? [usual] : texts).map((text, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added at the end
          <Row key={row} {...shared} row={row} text={text} comparison={compared[row]} />
        ))
      )}
      {list && (
        <datalist id={list}>
          {suggested.map(({ value, display }) => (
            <option key={value} value={value}>
              {display}
            </option>
          ))}
        </datalist>
      )}
      {isWrong && fault && <p className="err">{fault.message}</p>}
    </div>
  )
}

interface InputProps {
  field: RequestField
  id: string
  /** The ids of the elements that describe the input. */
  about: string | undefined
  isWrong: boolean
  /** The id of the list of suggestions. */
  list: string | undefined
}

/** An input for any number of the choices. */
function Several({
  field: { input, name, kind, choices },
  id,
  about,
  texts,
}: InputProps & { texts: readonly string[] }) {
  if (kind === 'list')
    return (
      <select
        className="input mono"
        id={id}
        name={input}
        multiple
        size={4}
        defaultValue={[...texts]}
        aria-describedby={about}
      >
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  return (
    <fieldset className="choices">
      <legend className="sr">{name}</legend>
      {choices.map((value) => (
        <label className="check" key={value}>
          <input type="checkbox" name={input} value={value} defaultChecked={texts.includes(value)} />
          <span className="mono small">{value}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The input of one value. A parameter with comparisons has a select before it, and a button that adds a value. */
function Row({
  row,
  text,
  comparison = 'eq',
  ...shared
}: InputProps & { row: number; text: string; comparison?: string | undefined }) {
  const { input, name, comparisons: offered = [] } = shared.field
  if (offered.length === 0) return <Input {...shared} text={text} />
  const which = row === 0 ? name : `${name}, value ${row + 1}`
  return (
    <div className="pair">
      <select
        className="input"
        name={comparisonOf(input)}
        aria-label={`${which}: comparison`}
        defaultValue={comparison}
      >
        {offered.map((name) => (
          <option key={name} value={name}>
            {comparisons[name]}
          </option>
        ))}
      </select>
      <Input
        {...shared}
        id={row === 0 ? shared.id : `${shared.id}-${row + 1}`}
        label={row === 0 ? undefined : which}
        text={text}
      />
      {row === 0 && (
        <SubmitButton
          look="plain"
          icon
          name="more"
          value={name}
          aria-label={`Add a value of ${name}`}
          title="Add a value"
        >
          +
        </SubmitButton>
      )}
    </div>
  )
}

function Input({
  field,
  id,
  about,
  isWrong,
  list,
  text,
  label,
}: InputProps & { text: string; label?: string | undefined }) {
  const { input, kind, choices, labels, none, required, placeholder } = field
  const shared = {
    id,
    name: input,
    defaultValue: text,
    'aria-label': label,
    'aria-describedby': about,
    'aria-required': required || undefined,
    'aria-invalid': isWrong || undefined,
  }
  if (kind === 'choice')
    return (
      <select className="input" {...shared}>
        {labels === undefined && (
          <option value="">{none ?? (placeholder ? `not sent (${placeholder})` : 'not sent')}</option>
        )}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {labels?.[choice] ?? choice}
          </option>
        ))}
      </select>
    )
  if (kind === 'lines' || kind === 'json')
    return (
      <textarea
        className="input mono ex-body"
        rows={Math.min(18, Math.max(3, text.split('\n').length + 1))}
        placeholder={placeholder}
        spellCheck={false}
        {...shared}
      />
    )
  return <input className="input mono" {...shared} {...inputProps(field)} list={list} />
}

/** Longer than any value that an API accepts. */
const lengthMax = 2_000

/**
 * The bounds of a number, or the placeholder of a text. Dates are text inputs, because a browser's date input has no
 * dates without a month or day, which FHIR allows.
 */
function inputProps({
  kind,
  placeholder,
  min,
  max,
  maxLength = lengthMax,
}: RequestField): InputHTMLAttributes<HTMLInputElement> {
  const shared = {
    placeholder: placeholder || placeholders[kind as keyof typeof placeholders],
    autoComplete: 'off',
  }
  if (kind === 'number') return { ...shared, type: 'number', inputMode: 'numeric', step: 1, min, max }
  const inputMode = kind === 'digits' ? 'numeric' : undefined
  return { ...shared, type: kind === 'search' ? 'search' : 'text', inputMode, maxLength, spellCheck: false }
}
