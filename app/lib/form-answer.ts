import { useActionData } from '@remix-run/react'
import { createContext, useContext } from 'react'

/** A refused form: one sentence for the form, one for each wrong field, and the typed values. */
export interface Refused {
  message: string
  fields: Record<string, string>
  typed: Record<string, string | string[]>
}

/** Which form of the page a field is in; nothing where the page has one form. */
interface FormPlace {
  intent?: string
  /** The row's id, if the form is in a row of a list. */
  about?: string | undefined
  contract?: ContractPlace
}

/** A contract form's labels, defaults and sent values for its fields. */
interface ContractPlace {
  id: string
  labels: Readonly<Record<string, string>>
  defaults: Readonly<Record<string, unknown>>
  optional: readonly string[]
  sent: Refused | undefined
}

export const FormPlace = createContext<FormPlace>({})

/** A field's fault and what was sent in it; in a contract form also its id, label and default. */
export function useFormField(name: string) {
  const { contract, ...place } = useContext(FormPlace)
  const refused = useRefused(place)
  const sent = contract ? contract.sent : refused
  const initial = contract?.defaults[name] ?? undefined
  return {
    place,
    id: contract && `${contract.id}-${name}`,
    label: contract?.labels[name],
    required: contract && !contract.optional.includes(name),
    initial: initial === undefined ? undefined : [initial].flat().map(String),
    typed: sent && [sent.typed[name] ?? []].flat(),
    fault: sent?.fields[name],
  }
}

/** The refusal of the form that was just sent, if it is this form. */
export function useRefused({ intent, about }: FormPlace): Refused | undefined {
  const answer = useActionData() as { wrong?: Refused | string | null } | null | undefined
  const refused = answer?.wrong
  if (typeof refused !== 'object' || refused === null || !('typed' in refused)) return undefined
  if (intent !== undefined && refused.typed.intent !== intent) return undefined
  return about === undefined || Object.values(refused.typed).includes(about) ? refused : undefined
}
