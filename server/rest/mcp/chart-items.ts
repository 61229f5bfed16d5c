/** Converts stored FHIR resources to the chart items of the MCP tools. Each item names its resource. */
import type * as fhir from 'fhir/r4.js'
import type { z } from 'zod'
import type {
  allergyItemSchema,
  Coded,
  documentItemSchema,
  encounterItemSchema,
  immunizationItemSchema,
  MedicationItem,
  ObservationItem,
  observationSchema,
  problemItemSchema,
  procedureItemSchema,
} from '../../contract/mcp/records.ts'
import { idIn } from '../../search/fhir-elements.ts'
import { untrusted } from './document-text.ts'

function toCoded(concept: fhir.CodeableConcept | undefined): Coded {
  const coding = concept?.coding?.[0]
  const display = coding?.display ?? null
  return {
    system: coding?.system ?? null,
    code: coding?.code ?? null,
    display,
    text: concept?.text === display ? null : untrusted(concept?.text),
  }
}

const codeOf = (concept: fhir.CodeableConcept | undefined) => concept?.coding?.[0]?.code ?? null
const displayOf = (concept: fhir.CodeableConcept) => {
  const coding = concept.coding?.[0]
  return coding?.display ?? coding?.code ?? []
}

export function toProblem(condition: fhir.Condition): z.output<typeof problemItemSchema> {
  const { onsetDateTime, onsetPeriod, recordedDate } = condition
  return {
    reference: `Condition/${condition.id}`,
    what: toCoded(condition.code),
    clinicalStatus: codeOf(condition.clinicalStatus),
    since: onsetDateTime ?? onsetPeriod?.start ?? recordedDate ?? null,
  }
}

export function toAllergy(allergy: fhir.AllergyIntolerance): z.output<typeof allergyItemSchema> {
  return {
    reference: `AllergyIntolerance/${allergy.id}`,
    what: toCoded(allergy.code),
    clinicalStatus: codeOf(allergy.clinicalStatus),
    criticality: allergy.criticality ?? null,
    reactions: (allergy.reaction ?? []).flatMap(({ manifestation }) => manifestation.flatMap(displayOf)),
  }
}

/** @param medications the Medication resources that orders refer to, by `Medication/id` */
export function toMedication(
  order: fhir.MedicationRequest,
  medications: ReadonlyMap<string, fhir.Medication>,
): MedicationItem {
  const referred = medications.get(order.medicationReference?.reference ?? '')
  return {
    reference: `MedicationRequest/${order.id}`,
    what: toCoded(order.medicationCodeableConcept ?? referred?.code),
    status: order.status,
    authoredOn: order.authoredOn ?? null,
    dosage: (order.dosageInstruction ?? []).flatMap(({ text }) => untrusted(text) ?? []),
  }
}

export function toImmunization(immunization: fhir.Immunization): z.output<typeof immunizationItemSchema> {
  const { id, vaccineCode, status, occurrenceDateTime, recorded } = immunization
  return {
    reference: `Immunization/${id}`,
    what: toCoded(vaccineCode),
    status,
    at: occurrenceDateTime ?? recorded ?? null,
  }
}

export function toProcedure(procedure: fhir.Procedure): z.output<typeof procedureItemSchema> {
  const { id, code, status, performedDateTime, performedPeriod } = procedure
  return {
    reference: `Procedure/${id}`,
    what: toCoded(code),
    status,
    at: performedDateTime ?? performedPeriod?.start ?? null,
  }
}

export function toDocumentItem(document: fhir.DocumentReference): z.output<typeof documentItemSchema> {
  const { id = '', type, status, date, description, content } = document
  const attachment = content[0]?.attachment
  return {
    reference: `DocumentReference/${id}`,
    documentId: id,
    what: toCoded(type),
    status,
    at: date ?? attachment?.creation ?? null,
    title: untrusted(attachment?.title ?? description),
    contentType: attachment?.contentType ?? null,
  }
}

export function toEncounterItem(encounter: fhir.Encounter): z.output<typeof encounterItemSchema> {
  const { participant, location, period, reasonCode = [] } = encounter
  return {
    reference: `Encounter/${encounter.id}`,
    encounterId: encounter.id ?? '',
    class: toCoded({ coding: [encounter.class] }),
    type: toCoded(encounter.type?.[0]),
    status: encounter.status,
    start: period?.start ?? null,
    end: period?.end ?? null,
    practitionerId: idIn(participant?.[0]?.individual, 'Practitioner'),
    locationId: idIn(location?.[0]?.location, 'Location'),
    reasons: reasonCode.map(toCoded),
  }
}

type Valued = Pick<
  fhir.Observation,
  | 'valueQuantity'
  | 'valueCodeableConcept'
  | 'valueString'
  | 'valueBoolean'
  | 'valueInteger'
  | 'valueDateTime'
  | 'valueTime'
>

export function toObservationItem(observation: fhir.Observation): ObservationItem {
  const {
    effectiveDateTime,
    effectiveInstant,
    effectivePeriod,
    interpretation = [],
    component = [],
  } = observation
  return {
    reference: `Observation/${observation.id}`,
    what: toCoded(observation.code),
    status: observation.status,
    at: effectiveDateTime ?? effectiveInstant ?? effectivePeriod?.start ?? null,
    ...toValue(observation),
    components: component.map((part) => ({ what: toCoded(part.code), ...toValue(part) })),
    interpretation: interpretation.flatMap(displayOf),
  }
}

export function toObservation(observation: fhir.Observation): z.output<typeof observationSchema> {
  const { category = [], referenceRange = [], note = [] } = observation
  return {
    ...toObservationItem(observation),
    categories: category.flatMap((each) => codeOf(each) ?? []),
    referenceRange: untrusted(referenceRange.flatMap(rangeText).join('; ')),
    notes: note.flatMap(({ text }) => untrusted(text) ?? []),
  }
}

function toValue(valued: Valued) {
  const { valueQuantity: quantity, valueCodeableConcept: concept } = valued
  const other = valued.valueBoolean ?? valued.valueInteger ?? valued.valueDateTime ?? valued.valueTime
  return {
    quantity: quantity
      ? {
          value: quantity.value ?? null,
          comparator: quantity.comparator ?? null,
          unit: quantity.unit ?? quantity.code ?? null,
        }
      : null,
    coded: concept ? toCoded(concept) : null,
    text: untrusted(valued.valueString ?? (other === undefined ? null : String(other))),
  }
}

function rangeText({ text, low, high }: fhir.ObservationReferenceRange): string[] {
  if (text) return [text]
  const unit = low?.unit ?? high?.unit ?? ''
  if (low?.value === undefined && high?.value === undefined) return []
  return [`${low?.value ?? ''} – ${high?.value ?? ''} ${unit}`.trim()]
}
