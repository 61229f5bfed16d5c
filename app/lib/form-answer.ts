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
  /** Of a form of one row of a list: the row's id. */
  about?: string | undefined
}

export const FormPlace = createContext<FormPlace>({})

export const useFormPlace = () => useContext(FormPlace)

/** The refusal of the form that was just sent, when it is this one; undefined: none. */
export function useRefused({ intent, about }: FormPlace): Refused | undefined {
  const answer = useActionData() as { wrong?: Refused | string | null } | null | undefined
  const refused = answer?.wrong
  if (typeof refused !== 'object' || refused === null || !('typed' in refused)) return undefined
  if (intent !== undefined && refused.typed.intent !== intent) return undefined
  return about === undefined || Object.values(refused.typed).includes(about) ? refused : undefined
}
