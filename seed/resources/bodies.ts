/**
 * Converts events to the bodies of resources, without type, id and meta, by their US Core 6.1.0 profiles:
 * https://hl7.org/fhir/us/core/STU6.1/profiles-and-extensions.html. Undefined elements are removed later.
 */
import type { FhirResource, QuestionnaireResponseItem } from 'fhir/r4.js'
import { conditions, terms, vaccines } from '../codes/codes.ts'
import { issuedAt } from '../people/calendar.ts'
import type { AnswerItem, EventKind, EventOf } from '../timeline/events.ts'
import {
  address,
  type Context,
  concept,
  concepts,
  contactPoint,
  humanName,
  narrative,
  observedValue,
  optional,
  patient,
  practitioner,
  quantity,
  reasons,
  references,
} from './elements.ts'
import { dispenseBody, prescriptionBody } from './medication.ts'
import { organization, payerIds } from './practice.ts'

/** The resource type and the id prefix of each kind of event. */
export const kinds = {
  coverage: ['Coverage', 'cv'],
  relatedPerson: ['RelatedPerson', 'rp'],
  encounter: ['Encounter', 'en'],
  condition: ['Condition', 'co'],
  allergy: ['AllergyIntolerance', 'al'],
  immunization: ['Immunization', 'im'],
  order: ['ServiceRequest', 'sr'],
  specimen: ['Specimen', 'sp'],
  observation: ['Observation', 'ob'],
  document: ['DocumentReference', 'do'],
  report: ['DiagnosticReport', 'dr'],
  prescription: ['MedicationRequest', 'mr'],
  dispense: ['MedicationDispense', 'md'],
  procedure: ['Procedure', 'pc'],
  answers: ['QuestionnaireResponse', 'qr'],
  goal: ['Goal', 'go'],
  carePlan: ['CarePlan', 'cp'],
  careTeam: ['CareTeam', 'ct'],
  device: ['Device', 'de'],
} as const satisfies Record<EventKind, readonly [type: FhirResource['resourceType'], prefix: string]>

type BodyOf<Kind extends EventKind> = Omit<
  Extract<FhirResource, { resourceType: (typeof kinds)[Kind][0] }>,
  'resourceType' | 'id' | 'meta'
>

/** record.ts adds the content of documents and the attachments of reports. */
export const bodies: {
  readonly [Kind in EventKind]: (event: EventOf<Kind>, context: Context) => BodyOf<Kind>
} = {
  coverage: (event, context) => {
    const isCommercial = event.payer === 'commercial'
    const [group, groupName] = isCommercial
      ? ['GRP-0142', 'Example Works employees']
      : ['GRP-0001', 'State programme']
    const [plan, planName] = isCommercial
      ? ['PLAN-SILVER', 'Placeholder Silver']
      : ['PLAN-BASIC', 'Sample Basic']
    return {
      identifier: [
        {
          type: concept(terms.coverageCodes.member),
          system: terms.namingSystems.member,
          value: event.member,
        },
      ],
      status: 'active',
      type: concept(isCommercial ? terms.coverageCodes.employer : terms.coverageCodes.public),
      subscriberId: event.member,
      beneficiary: patient(context),
      relationship: concept(event.dependent ? terms.coverageCodes.child : terms.coverageCodes.self),
      period: { start: event.at.slice(0, 10) },
      payor: [{ reference: `Organization/${payerIds[event.payer]}` }],
      class: [
        { type: concept(terms.coverageCodes.group), value: group, name: groupName },
        { type: concept(terms.coverageCodes.plan), value: plan, name: planName },
      ],
    }
  },

  relatedPerson: (event, context) => ({
    active: true,
    patient: patient(context),
    relationship: [concept(event.relationship)],
    name: [humanName(event.name)],
    telecom: event.telecom.map(contactPoint),
    address: event.addresses.length > 0 ? event.addresses.map(address) : undefined,
  }),

  encounter: (event, context) => {
    const period = { start: event.at, end: event.end }
    const type = [concept(terms.participantTypes.primaryPerformer)]
    return {
      identifier: [
        { use: 'official', system: terms.namingSystems.encounter, value: context.id.toUpperCase() },
      ],
      status: 'finished',
      class: { ...event.class },
      type: [concept(event.type)],
      subject: patient(context),
      participant: [{ type, period, individual: practitioner(event.clinicianId) }],
      period,
      ...reasons(event.reason, context),
      hospitalization: event.discharge && { dischargeDisposition: concept(event.discharge) },
      location: [{ location: { reference: 'Location/loc-main' } }],
      serviceProvider: organization,
    }
  },

  condition: (event, context) => {
    const { codings, text } = conditions[event.code]
    const { active, resolved } = terms.conditionStatuses
    const isMistaken = event.verification === 'mistaken'
    return {
      // What is recorded at a visit is asserted there. What is known from before has only its onset.
      extension:
        event.visit === undefined
          ? undefined
          : [{ url: terms.extensionUrls.assertedDate, valueDateTime: event.recorded }],
      // con-5: nothing entered in error has a clinical status.
      clinicalStatus: isMistaken ? undefined : concept(event.abated ? resolved : active),
      verificationStatus: concept(terms.conditionVerifications[event.verification ?? 'confirmed']),
      category: [terms.conditionCategories[event.role], event.screening].flatMap((each) =>
        each ? [concept(each)] : [],
      ),
      code: concepts(codings, text),
      subject: patient(context),
      encounter: optional(event.visit, context),
      onsetDateTime: event.onset,
      abatementDateTime: event.abated,
      recordedDate: event.recorded,
      recorder: practitioner(context.clinicianId),
    }
  },

  allergy: (event, context) => ({
    clinicalStatus: concept(terms.allergyStatuses.active),
    verificationStatus: concept(terms.allergyVerifications.confirmed),
    type: event.category && 'allergy',
    category: event.category && [event.category],
    criticality: event.criticality,
    code: concept(event.substance),
    patient: patient(context),
    onsetDateTime: event.onset,
    recordedDate: event.at,
    recorder: practitioner(context.clinicianId),
    reaction:
      event.reactions.length > 0
        ? event.reactions.map(({ code, severity }) => ({ manifestation: [concept(code)], severity }))
        : undefined,
  }),

  immunization: (event, context) => {
    const { refused, seen, lot } = event
    const unknown = { url: terms.extensionUrls.absentReason, valueCode: terms.absentReasons.unknown.code }
    return {
      status: refused ? 'not-done' : 'completed',
      statusReason: refused && concept(refused),
      vaccineCode: concept(vaccines[event.vaccine].coding),
      patient: patient(context),
      encounter: optional(event.visit, context),
      occurrenceDateTime: event.at,
      primarySource: seen,
      lotNumber: lot,
      // https://hl7.org/fhir/R4/extension-data-absent-reason.html
      _lotNumber: lot || refused ? undefined : { extension: [unknown] },
      performer: seen && !refused ? [{ actor: practitioner(context.clinicianId) }] : undefined,
    }
  },

  order: (event, context) => ({
    status: event.status ?? 'completed',
    intent: 'order',
    category: [concept(event.category)],
    code: concepts([event.code], event.text),
    subject: patient(context),
    encounter: optional(event.visit, context),
    occurrencePeriod: { start: event.at, end: event.until },
    authoredOn: event.at,
    requester: practitioner(context.clinicianId),
    ...reasons(event.reason, context),
  }),

  specimen: (event, context) => ({
    status: 'available',
    type: concept(event.type),
    subject: patient(context),
    collection: { collectedDateTime: event.at },
  }),

  observation: (event, context) => {
    const { range, since } = event
    const bound = (value: number | undefined) =>
      range && value !== undefined ? quantity({ value, unit: range.unit }) : undefined
    return {
      status: 'final',
      category: event.categories.map((category) => concept(category)),
      code: concepts(event.codes, event.text),
      subject: patient(context),
      encounter: optional(event.visit, context),
      ...(since ? { effectivePeriod: { start: since } } : { effectiveDateTime: event.at }),
      issued: event.profile === 'lab' ? issuedAt(event.at) : undefined,
      performer: [practitioner(context.clinicianId)],
      ...observedValue(event.value),
      dataAbsentReason: event.absent && concept(event.absent),
      interpretation: event.interpretation && [concept(event.interpretation)],
      specimen: optional(event.specimen, context),
      referenceRange: range && [{ low: bound(range.low), high: bound(range.high) }],
      hasMember: references(event.members, context),
      derivedFrom: references(event.derivedFrom, context),
      component: event.components?.map(({ code, value, absent }) => ({
        code: concept(code),
        ...observedValue(value),
        dataAbsentReason: absent && concept(absent),
      })),
    }
  },

  document: (event, context) => {
    const encounter = optional(event.visit, context)
    return {
      identifier: [{ system: terms.namingSystems.document, value: context.id.toUpperCase() }],
      status: event.status ?? 'current',
      docStatus: 'final',
      type: concept(event.type),
      category: [concept(terms.documentCategories.clinicalNote)],
      subject: patient(context),
      date: event.at,
      author: [practitioner(context.clinicianId)],
      custodian: organization,
      description: event.title,
      content: [],
      context: {
        encounter: encounter && [encounter],
        period: { start: event.at, end: event.until },
      },
    }
  },

  report: (event, context) => ({
    basedOn: references(event.basedOn === undefined ? [] : [event.basedOn], context),
    status: 'final',
    category: [concept(event.category)],
    code: concepts([event.code], event.text),
    subject: patient(context),
    encounter: optional(event.visit, context),
    effectiveDateTime: event.at,
    issued: event.issued,
    performer: [practitioner(context.clinicianId), organization],
    specimen: references(event.specimen === undefined ? [] : [event.specimen], context),
    result: references(event.results, context),
    conclusion: event.conclusion,
  }),

  prescription: prescriptionBody,
  dispense: dispenseBody,

  procedure: (event, context) => ({
    basedOn: references(event.basedOn === undefined ? [] : [event.basedOn], context),
    status: event.status ?? 'completed',
    code: concept(event.code),
    subject: patient(context),
    encounter: optional(event.visit, context),
    ...(event.end
      ? { performedPeriod: { start: event.at, end: event.end } }
      : { performedDateTime: event.at }),
    performer: [{ actor: practitioner(event.clinicianId ?? context.clinicianId) }],
    ...reasons(event.reason, context),
  }),

  answers: (event, context) => {
    const title = { url: terms.extensionUrls.questionnaireDisplay, valueString: event.title }
    const form = { url: terms.extensionUrls.questionnaireUri, valueUri: event.uri }
    return {
      identifier: { system: terms.namingSystems.answers, value: context.id.toUpperCase() },
      questionnaire: event.questionnaire,
      _questionnaire: { extension: event.uri ? [title, form] : [title] },
      status: 'completed',
      subject: patient(context),
      encounter: optional(event.visit, context),
      authored: event.at,
      author: practitioner(context.clinicianId),
      item: event.items.map(answerItem),
    }
  },

  goal: (event, context) => ({
    lifecycleStatus: 'active',
    description: concept(event.coding, event.description),
    subject: patient(context),
    startDate: event.at.slice(0, 10),
    // gol-1: a detail needs its measure.
    target: [{ measure: concept(event.measure), detailQuantity: quantity(event.target), dueDate: event.due }],
    addresses: references(event.conditions, context),
  }),

  carePlan: (event, context) => ({
    text: narrative(`${event.title} for ${context.patientName}`, event.lines),
    status: 'active',
    intent: 'plan',
    category: [concept(terms.carePlanCategories.assessPlan)],
    title: event.title,
    subject: patient(context),
    encounter: optional(event.visit, context),
    period: { start: event.at.slice(0, 10) },
    created: event.at,
    author: practitioner(context.clinicianId),
    addresses: references(event.conditions, context),
    goal: references(event.goals, context),
  }),

  careTeam: (event, context) => ({
    status: event.status,
    name: event.name,
    subject: patient(context),
    period: { start: event.at.slice(0, 10) },
    participant: event.members.map(({ role, clinicianId, clinicianRoleId, related }) => ({
      role: [concept(role)],
      member: clinicianId
        ? practitioner(clinicianId)
        : clinicianRoleId
          ? { reference: `PractitionerRole/${clinicianRoleId}` }
          : (optional(related, context) ?? patient(context)),
    })),
    managingOrganization: [organization],
  }),

  device: (event, context) => {
    const short = (date: string) => date.slice(2).replaceAll('-', '')
    // Of the range that GS1 keeps for examples.
    const deviceIdentifier = '09504000059118'
    const carrierHRF = `(01)${deviceIdentifier}(11)${short(event.made)}(17)${short(event.expires)}(10)${event.lot}(21)${event.serial}`
    return {
      udiCarrier: [{ deviceIdentifier, carrierHRF }],
      status: 'active',
      distinctIdentifier: `SYN-${event.serial}`,
      manufactureDate: event.made,
      expirationDate: event.expires,
      lotNumber: event.lot,
      serialNumber: event.serial,
      deviceName: [{ name: event.name, type: 'user-friendly-name' }],
      type: concept(event.type),
      patient: patient(context),
    }
  },
}

function answerItem({ linkId, text, items, ...answered }: AnswerItem): QuestionnaireResponseItem {
  const { coding, decimal: valueDecimal, string: valueString, followUps } = answered
  const isAnswered = coding || valueDecimal !== undefined || valueString !== undefined
  const valueCoding = coding && { ...coding }
  const item = followUps?.map(answerItem)
  return {
    linkId,
    text,
    answer: isAnswered ? [{ valueCoding, valueDecimal, valueString, item }] : undefined,
    item: items?.map(answerItem),
  }
}
