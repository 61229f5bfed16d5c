import type { InputHTMLAttributes } from 'react'
import { type NamedInput, placeholders } from '../../shared/operations/input-kinds.ts'

interface Field {
  kind: string
  placeholder?: string | undefined
  min?: number | undefined
  max?: number | undefined
  maxLength?: number | undefined
}

/** Longer than anything that an interface takes in one value. */
const lengthMax = 2_000

/**
 * An input for the kind of value: of numbers their bounds, of the others what to write. Dates stay texts: FHIR's may
 * end with the year or the month, which a browser's own field cannot say.
 */
export function inputProps({
  kind,
  placeholder,
  min,
  max,
  maxLength = lengthMax,
}: Field): InputHTMLAttributes<HTMLInputElement> {
  const shared = { placeholder: placeholder || placeholders[kind as NamedInput['kind']], autoComplete: 'off' }
  if (kind === 'number') return { ...shared, type: 'number', inputMode: 'numeric', step: 1, min, max }
  return { ...shared, type: kind === 'search' ? 'search' : 'text', maxLength, spellCheck: false }
}
