/** A disclosure in the words of an accounting: brief, and without anything from the chart. */
import { type FhirType, fhirRegistry } from '../../contract/fhir/registry.ts'
import { purposes } from '../../contract/rest/purposes.ts'
import { typeLabel } from '../../contract/smart/scope-labels.ts'

/** Actions that answer more, or something else, than records of their type. */
const actionWords: Readonly<Record<string, string>> = {
  ccda: 'Clinical summary (CCD)',
  everything: 'Whole chart',
  summary: 'Summary of the chart',
  view_chart: 'Whole chart',
  authorize: 'Name and birth date',
  list_allowed_apps: 'Name',
}

/** Where the words of the consent screen speak to the patient. */
const typeWords: Readonly<Record<string, string>> = {
  Patient: 'Demographics: name, identifiers, birth date, address, contact',
  Group: 'List of patients',
}

type Described = Readonly<{ action: string; resourceType: string | null }>

export function describeDisclosure({ action, resourceType }: Described): string {
  const words = Object.hasOwn(actionWords, action) ? actionWords[action] : undefined
  if (words !== undefined) return words
  const type = resourceType === null ? 'Records' : describeType(resourceType)
  return action === 'export_file' ? `Bulk export: ${type}` : type
}

function describeType(type: string): string {
  if (Object.hasOwn(typeWords, type)) return typeWords[type] ?? type
  return Object.hasOwn(fhirRegistry, type) ? typeLabel(type as FhirType) : type
}

export function describePurpose(purpose: string): string {
  return Object.hasOwn(purposes, purpose) ? purposes[purpose as keyof typeof purposes] : purpose
}
