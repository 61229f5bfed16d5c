/** The base of a practice in stored texts, which are free of origin and practice (decision 0002). */
import { type FhirType, fhirRegistry } from './registry.ts'
import { basePlaceholder } from './type-row.ts'

/**
 * A stored text as it leaves under a base: the placeholder replaced in the types whose row says that they hold it,
 * every other text as it is.
 * @param base without a slash at its end, such as `https://api.example.org/fhir/harbor-family`
 */
export function withBase(type: FhirType, text: string, base: string): string {
  if (!fhirRegistry[type].holdsBase || !text.includes(basePlaceholder)) return text
  // Stands inside a JSON string; a function, as `$` in a replacement means something else.
  const written = JSON.stringify(base).slice(1, -1)
  return text.replaceAll(basePlaceholder, () => written)
}
