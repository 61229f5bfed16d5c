import type { InputHTMLAttributes, ReactNode } from 'react'
import { type NamedInput, placeholders } from '../shared/operations/input-kinds.ts'

export interface ChoiceListProps {
  id: string
  choices: readonly { value: string; display: string }[]
}

/** Suggestions of a text field, found by what they are called; they work without a script. */
export function ChoiceList({ id, choices }: ChoiceListProps) {
  if (choices.length === 0) return null
  return (
    <datalist id={id}>
      {choices.map(({ value, display }) => (
        <option key={value} value={value}>
          {display}
        </option>
      ))}
    </datalist>
  )
}

interface ParameterProps {
  id: string
  name: string
  label: ReactNode
  value: string
  isWrong?: boolean
  /** Hides the label from sight where a button beside the field says the same. */
  quiet?: boolean
  hint?: ReactNode
  /**
   * `choice`: one of `choices`, or `none`, which sends nothing; `lines` and `json`: several lines; `digits`: a number that
   * only the server judges.
   */
  kind: string
  choices?: readonly (string | { readonly value: string; readonly label: string })[]
  none?: string
  placeholder?: string | undefined
  min?: number | undefined
  max?: number | undefined
  maxLength?: number | undefined
  /** Records that can be chosen, found by what they are called. */
  records?: ChoiceListProps['choices']
}

/** A parameter of a call, by its kind. What is wrong is for the interface to say: its refusals are worth seeing. */
export function Parameter({ id, name, label, value, isWrong, quiet, hint, ...field }: ParameterProps) {
  const { kind, choices = [], none, placeholder, records = [] } = field
  const shared = {
    id,
    name,
    defaultValue: value,
    'aria-describedby': hint ? `${id}-hint` : undefined,
    'aria-invalid': isWrong || undefined,
  }
  return (
    <div className={isWrong ? 'field bad' : 'field'}>
      <label htmlFor={id} className={quiet ? 'sr' : undefined}>
        {label}
      </label>
      {kind === 'choice' ? (
        <select className={typeof choices[0] === 'object' ? 'input' : 'input mono'} {...shared}>
          {none !== undefined && <option value="">{none}</option>}
          {choices.map((each) => {
            const { value: sent, label: shown } =
              typeof each === 'string' ? { value: each, label: each } : each
            return (
              <option key={sent} value={sent}>
                {shown}
              </option>
            )
          })}
        </select>
      ) : kind === 'lines' || kind === 'json' ? (
        <textarea className="input mono" rows={3} placeholder={placeholder} {...shared} />
      ) : (
        <input
          className="input mono"
          {...shared}
          {...inputProps(field)}
          list={records.length > 0 ? `${id}-list` : undefined}
        />
      )}
      <ChoiceList id={`${id}-list`} choices={records} />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** Longer than anything that an interface takes in one value. */
const lengthMax = 2_000

/**
 * Of numbers their bounds, of the others what to write. Dates stay texts: FHIR's may end with the year or the month,
 * which a browser's own field cannot say.
 */
function inputProps({
  kind,
  placeholder,
  min,
  max,
  maxLength = lengthMax,
}: Pick<
  ParameterProps,
  'kind' | 'placeholder' | 'min' | 'max' | 'maxLength'
>): InputHTMLAttributes<HTMLInputElement> {
  const shared = { placeholder: placeholder || placeholders[kind as NamedInput['kind']], autoComplete: 'off' }
  if (kind === 'number') return { ...shared, type: 'number', inputMode: 'numeric', step: 1, min, max }
  const inputMode = kind === 'digits' ? 'numeric' : undefined
  return { ...shared, type: kind === 'search' ? 'search' : 'text', inputMode, maxLength, spellCheck: false }
}

interface PracticeSelectProps {
  practices: readonly { slug: string; name: string }[]
  /** Slug of the one in use. */
  practice: string
}

export function PracticeSelect({ practices, practice }: PracticeSelectProps) {
  const choices = practices.map(({ slug, name }) => ({ value: slug, label: name }))
  return (
    <Parameter
      kind="choice"
      id="practice"
      name="practice"
      label="Practice"
      value={practice}
      choices={choices}
    />
  )
}
