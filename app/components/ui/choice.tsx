import { type FieldMetadata, getInputProps } from '@conform-to/react'
import type { ReactNode } from 'react'
import { FieldError } from './field.tsx'

interface ChoicesProps {
  meta: FieldMetadata<string> | FieldMetadata<string | undefined>
  legend: ReactNode
  options: readonly { value: string; label: ReactNode; sub?: ReactNode }[]
}

/** One of a few, all in view. */
export function Choices({ meta, legend, options }: ChoicesProps) {
  return (
    <fieldset
      className={meta.errors ? 'choices check-bad' : 'choices'}
      aria-describedby={meta.errors ? meta.errorId : undefined}
    >
      <legend>{legend}</legend>
      {options.map((option, place) => (
        <label className="check" key={option.value}>
          <input
            type="radio"
            name={meta.name}
            value={option.value}
            id={place === 0 ? meta.id : `${meta.id}-${option.value}`}
            defaultChecked={meta.initialValue === option.value}
          />
          <span>
            {option.label}
            {option.sub && <span className="sub">{option.sub}</span>}
          </span>
        </label>
      ))}
      <FieldError meta={meta} />
    </fieldset>
  )
}

interface CheckProps {
  meta: FieldMetadata<boolean> | FieldMetadata<boolean | undefined>
  children: ReactNode
}

/** Yes or not yet. */
export function Check({ meta, children }: CheckProps) {
  const { key, ...input } = getInputProps(meta as FieldMetadata<boolean>, { type: 'checkbox' })
  return (
    <div className={meta.errors ? 'stack tight check-bad' : 'stack tight'}>
      <label className="check">
        <input key={key} {...input} />
        <span>{children}</span>
      </label>
      <FieldError meta={meta} />
    </div>
  )
}
