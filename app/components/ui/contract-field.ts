import type { FieldMetadata, getInputProps, getSelectProps, getTextareaProps } from '@conform-to/react'
import { createContext, useContext } from 'react'

/** What a contract form gives its fields. The form library comes with the form: a field alone loads none of it. */
interface Contract {
  fields: Record<string, FieldMetadata<string>>
  labels: Readonly<Record<string, string>>
  propsOf: {
    input: typeof getInputProps
    select: typeof getSelectProps
    textarea: typeof getTextareaProps
  }
}

export const ContractContext = createContext<Contract | null>(null)

/** Metadata and label of a field that the surrounding contract form labels; undefined for any other. */
export function useContractField(name: string | undefined) {
  const contract = useContext(ContractContext)
  if (!contract || name === undefined || !Object.hasOwn(contract.labels, name)) return undefined
  const { fields, labels, propsOf } = contract
  return { meta: fields[name] as FieldMetadata<string>, label: labels[name] as string, propsOf }
}
