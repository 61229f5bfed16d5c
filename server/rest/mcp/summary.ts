/** Summarizes a chart within a token budget: items are added by section in turn, omitted ones are counted. */
import type * as fhir from 'fhir/r4.js'
import { summaryFieldClass } from '../../contract/keys/class-fields.ts'
import type { DataClass } from '../../contract/keys/data-classes.ts'
import { type KeyAccess, mayRead } from '../../contract/keys/key-access.ts'
import type { MedicationItem, Summary, SummarySection } from '../../contract/mcp/records.ts'
import { currentName } from '../../search/fhir-elements.ts'
import { toAllergy, toObservationItem, toProblem } from './chart-items.ts'
import { toCleanText } from './document-text.ts'

/** Identifiers and punctuation cost more than words. JSON of charts has three bytes a token or more. */
const bytesPerToken = 2.5

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

export type SummaryParts = {
  patient: fhir.Patient
  problems: readonly fhir.Condition[]
  allergies: readonly fhir.AllergyIntolerance[]
  medications: readonly MedicationItem[]
  /** Newest first. */
  vitals: readonly fhir.Observation[]
  labs: readonly fhir.Observation[]
}

/**
 * @param access null: the key may read everything
 * @param maxTokens the budget of the text that contains the summary
 * @param overhead tokens of the text around the summary
 */
export function summarize(
  parts: SummaryParts,
  { access, maxTokens, overhead }: { access: KeyAccess | null; maxTokens: number; overhead: number },
): Summary {
  const all: { [Section in SummarySection]: Summary[Section][number][] } = {
    problems: newestOfEach(byProblemList(parts.problems).map(toProblem)),
    allergies: newestOfEach(parts.allergies.map(toAllergy)),
    medications: newestOfEach(parts.medications),
    vitals: newestOfEach(parts.vitals.filter(isValid).map(toObservationItem)),
    labs: newestOfEach(parts.labs.filter(isValid).map(toObservationItem)),
  }
  const { patient } = parts
  const { family, given } = currentName(patient.name)
  const summary: Summary = {
    reference: `Patient/${patient.id}`,
    name: [...given, family].filter(Boolean).join(' ') || null,
    birthDate: patient.birthDate ?? null,
    sex: patient.gender ?? 'unknown',
    deceased: patient.deceasedBoolean ?? patient.deceasedDateTime !== undefined,
    problems: [],
    allergies: [],
    medications: [],
    vitals: [],
    labs: [],
    omitted: { problems: 0, allergies: 0, medications: 0, vitals: 0, labs: 0 },
  }
  const narrowed = access === null ? summary : narrow(summary, access)
  fill(narrowed, all, maxTokens - overhead)
  return narrowed
}

/** Removes what the key may not read, and lists the withheld data classes. */
function narrow(summary: Summary, access: KeyAccess): Summary {
  const isOpen = (field: string) => {
    const dataClass = (summaryFieldClass as Readonly<Record<string, DataClass>>)[field]
    return dataClass === undefined || mayRead(access, dataClass)
  }
  const fields = Object.entries(summary).filter(([field]) => isOpen(field))
  const omitted = Object.entries(summary.omitted).filter(([section]) => isOpen(section))
  const withheld = [...new Set(Object.values(summaryFieldClass))].filter((name) => !mayRead(access, name))
  return {
    ...(Object.fromEntries(fields) as Summary),
    withheld,
    omitted: Object.fromEntries(omitted) as Summary['omitted'],
  }
}

/** Safety comes first. Each section gets one item in turn, so that no long list leaves another section empty. */
const turns: readonly SummarySection[] = ['allergies', 'problems', 'medications', 'labs', 'vitals']

function fill(
  summary: Summary,
  all: { [Section in SummarySection]: Summary[Section][number][] },
  budget: number,
): void {
  // The counts of omitted items take up to ten tokens.
  let left = budget - estimateTokens(toCleanText(summary)) - 10
  const open = new Set(turns.filter((section) => section in summary))
  for (let at = 0; open.size > 0; at += 1) {
    for (const section of turns) {
      if (!open.has(section)) continue
      const items = all[section]
      const item = items[at]
      const cost = item === undefined ? 0 : estimateTokens(toCleanText(item)) + 1
      if (item === undefined || cost > left) {
        open.delete(section)
        summary.omitted[section] = items.length - Math.min(at, items.length)
        continue
      }
      left -= cost
      ;(summary[section] as (typeof item)[]).push(item)
    }
  }
}

/** Puts problem list items before diagnoses of encounters. */
function byProblemList(conditions: readonly fhir.Condition[]): fhir.Condition[] {
  const isListed = ({ category = [] }: fhir.Condition) =>
    category.some(({ coding = [] }) => coding.some(({ code }) => code === 'problem-list-item'))
  return [...conditions.filter(isListed), ...conditions.filter((condition) => !isListed(condition))]
}

const isValid = ({ status }: fhir.Observation): boolean =>
  status !== 'entered-in-error' && status !== 'cancelled'

/** Keeps the first of the items with the same code. */
function newestOfEach<Item extends { reference: string; what: Summary['problems'][number]['what'] }>(
  items: readonly Item[],
): Item[] {
  const seen = new Set<string>()
  return items.filter(({ reference, what }) => {
    const key = what.code === null ? (what.text?.text ?? reference) : `${what.system}|${what.code}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
