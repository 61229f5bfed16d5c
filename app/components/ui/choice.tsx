import type { ReactNode } from 'react'
import { useFormField } from '../../lib/form-answer.ts'
import { Fault } from './form.tsx'

interface Option {
  value: string
  label: ReactNode
  sub?: ReactNode
}

export interface ChoicesProps {
  name: string
  value?: string
  fault?: string | undefined
  /** In a contract form, the form's label for this name when left out. */
  legend?: ReactNode
  options: readonly Option[]
  required?: boolean
}

/** One of a few, all in view. */
export function Choices({ options, required, ...own }: ChoicesProps) {
  const field = useFormField(own.name)
  const { name, legend = field.label } = own
  const id = field.id ?? name
  const value = field.typed?.[0] ?? own.value ?? field.given?.[0]
  const fault = field.fault ?? own.fault
  const faultId = `${id}-fault`
  return (
    <fieldset
      className={fault ? 'choices check-bad' : 'choices'}
      aria-describedby={fault ? faultId : undefined}
    >
      <legend>{legend}</legend>
      {options.map((option, place) => (
        <Box
          {...option}
          key={option.value}
          type="radio"
          name={name}
          required={required}
          id={place === 0 ? id : `${id}-${option.value}`}
          defaultChecked={value === option.value}
        />
      ))}
      <Fault id={faultId} fault={fault} />
    </fieldset>
  )
}

interface CheckboxesProps {
  name: string
  /** In a contract form, the form's label for this name when left out. */
  legend?: ReactNode
  hint?: string
  options: readonly Option[]
  /** Ticked at first; what was sent last takes its place. */
  ticked?: readonly string[]
  required?: boolean
  fault?: string | undefined
}

/** A longer list has columns. */
const manyOptions = 7

/** Any of several. */
export function Checkboxes({ name, hint, options, ticked, required, ...own }: CheckboxesProps) {
  const field = useFormField(name)
  const { legend = field.label } = own
  const fault = field.fault ?? own.fault
  const chosen = field.typed ?? ticked ?? field.given ?? []
  const look = [fault && 'check-bad', options.length > manyOptions && 'many'].filter(Boolean)
  return (
    <fieldset className={['choices', ...look].join(' ')}>
      <legend>{legend}</legend>
      {hint && <p className="hint">{hint}</p>}
      {options.map((option, place) => (
        <Box
          {...option}
          key={option.value}
          type="checkbox"
          id={place === 0 ? (field.id ?? name) : undefined}
          name={name}
          required={required}
          defaultChecked={chosen.includes(option.value)}
        />
      ))}
      <Fault fault={fault} />
    </fieldset>
  )
}

interface BoxProps extends Option {
  type: 'radio' | 'checkbox'
  name: string
  id?: string | undefined
  required?: boolean | undefined
  defaultChecked: boolean
}

function Box({ label, sub, ...input }: BoxProps) {
  return (
    <label className="check">
      <input {...input} />
      <span>
        {label}
        {sub && <span className="sub">{sub}</span>}
      </span>
    </label>
  )
}

interface CheckProps {
  name: string
  id?: string
  /** At first; what was sent last takes its place. */
  checked?: boolean
  children: ReactNode
}

/** Yes or not yet. */
export function Check({ name, checked = false, children, ...own }: CheckProps) {
  const { required, typed, given, fault, ...field } = useFormField(name)
  const id = field.id ?? own.id
  const ticked = typed ?? given
  return (
    <div className={fault ? 'stack tight check-bad' : 'stack tight'}>
      <label className="check">
        <input
          id={id}
          name={name}
          type="checkbox"
          required={required}
          defaultChecked={ticked ? ticked.includes('on') : checked}
        />
        <span>{children}</span>
      </label>
      <Fault id={field.id && `${id}-fault`} fault={fault} />
    </div>
  )
}
