import type { FieldMetadata } from '@conform-to/react'
import type { ReactNode } from 'react'
import { useFormPlace, useRefused } from '../../lib/form-answer.ts'
import { useContractField } from './contract-field.ts'
import { Fault } from './field.tsx'

/** Of a refused form: the sent values of this field and its fault. */
function useSent(name: string) {
  const refused = useRefused(useFormPlace())
  return { typed: refused && [refused.typed[name] ?? []].flat(), fault: refused?.fields[name] }
}

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
  const contract = useContractField(own.name)
  const { name, legend = contract?.label } = own
  const meta = contract?.meta
  const sent = useSent(name)
  const value = meta ? meta.initialValue : (sent.typed?.[0] ?? own.value)
  const fault = meta ? meta.errors?.[0] : (sent.fault ?? own.fault)
  const faultId = meta ? meta.errorId : `${name}-fault`
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
          id={place === 0 ? (meta?.id ?? name) : `${meta?.id ?? name}-${option.value}`}
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
const manyOptions = 12

/** Any of several. */
export function Checkboxes({ name, hint, options, ticked, required, ...own }: CheckboxesProps) {
  const contract = useContractField(name)
  const { legend = contract?.label } = own
  const sent = useSent(name)
  const meta = contract?.meta
  const fault = meta ? meta.errors?.[0] : (sent.fault ?? own.fault)
  const chosen = meta ? [meta.initialValue ?? []].flat() : (sent.typed ?? ticked ?? [])
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
          id={place === 0 ? (meta?.id ?? name) : undefined}
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
export function Check({ name, id, checked = false, children }: CheckProps) {
  const contract = useContractField(name)
  const meta = contract?.meta as FieldMetadata<boolean> | undefined
  const { typed, fault = meta?.errors?.[0] } = useSent(name)
  const { key, ...input } = contract
    ? contract.propsOf.input(contract.meta, { type: 'checkbox' })
    : { key: name, id, name, type: 'checkbox', defaultChecked: typed ? typed.includes('on') : checked }
  return (
    <div className={fault ? 'stack tight check-bad' : 'stack tight'}>
      <label className="check">
        <input key={key} {...input} />
        <span>{children}</span>
      </label>
      <Fault id={meta?.errorId} fault={fault} />
    </div>
  )
}
