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
  /** By default the label that the contract form has for this name. */
  legend?: ReactNode
  options: readonly Option[]
  required?: boolean
}

/** Radio buttons. */
export function Choices({ options, required, ...rest }: ChoicesProps) {
  const field = useFormField(rest.name)
  const { name, legend = field.label } = rest
  const id = field.id ?? name
  const value = field.typed?.[0] ?? rest.value ?? field.initial?.[0]
  const fault = field.fault ?? rest.fault
  const faultId = `${id}-fault`
  return (
    <fieldset
      className={fault ? 'choices check-bad' : 'choices'}
      aria-describedby={fault ? faultId : undefined}
    >
      <legend>{legend}</legend>
      {options.map((option, index) => (
        <Box
          {...option}
          key={option.value}
          type="radio"
          name={name}
          required={required}
          id={index === 0 ? id : `${id}-${option.value}`}
          defaultChecked={value === option.value}
        />
      ))}
      <Fault id={faultId} fault={fault} />
    </fieldset>
  )
}

interface CheckboxesProps {
  name: string
  /** By default the label that the contract form has for this name. */
  legend?: ReactNode
  hint?: string
  options: readonly Option[]
  /** Ticked until the form is sent; afterwards the sent values are. */
  ticked?: readonly string[]
  required?: boolean
  fault?: string | undefined
}

/** A list with more options is shown in columns. */
const manyOptions = 7

export function Checkboxes({ name, hint, options, ticked, required, ...rest }: CheckboxesProps) {
  const field = useFormField(name)
  const { legend = field.label } = rest
  const fault = field.fault ?? rest.fault
  const chosen = field.typed ?? ticked ?? field.initial ?? []
  const look = [fault && 'check-bad', options.length > manyOptions && 'many'].filter(Boolean)
  return (
    <fieldset className={['choices', ...look].join(' ')}>
      <legend>{legend}</legend>
      {hint && <p className="hint">{hint}</p>}
      {options.map((option, index) => (
        <Box
          {...option}
          key={option.value}
          type="checkbox"
          id={index === 0 ? (field.id ?? name) : undefined}
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
  /** Whether the box is ticked until the form is sent. */
  checked?: boolean
  children: ReactNode
}

export function Check({ name, checked = false, children, ...rest }: CheckProps) {
  const { required, typed, initial, fault, ...field } = useFormField(name)
  const id = field.id ?? rest.id
  const ticked = typed ?? initial
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
