/** Scopes in plain words, for the people who grant them, and the way back from what they ticked. */
import type { FhirType } from '../fhir/registry.ts'
import { narrow, typesOf } from './scope-narrowing.ts'
import { picksOf, type ScopePick } from './scope-picks.ts'
import { formatFilter, type LaunchScope, type ResourceScope, type Scope, type ScopeFilter } from './scopes.ts'

/** Whose record is spoken of: the reader's own, or another person's. */
export type Voice = 'own' | 'other'

type TypeWords = Readonly<Record<Voice, string> & { hint?: string }>

/** In the order in which people are asked. */
const words: Readonly<Record<FhirType, TypeWords>> = {
  Patient: { own: 'Who you are', other: 'Who they are', hint: 'Name, birth date, address, contact' },
  Observation: { own: 'Your test results and measurements', other: 'Test results and measurements' },
  Condition: { own: 'Your conditions', other: 'Conditions', hint: 'Diagnoses, now and in the past' },
  MedicationRequest: { own: 'Your prescriptions', other: 'Prescriptions', hint: 'Medications and doses' },
  MedicationDispense: {
    own: 'Medications dispensed to you',
    other: 'Medications dispensed',
    hint: 'By which pharmacy, and when',
  },
  Medication: { own: 'Medication details', other: 'Medication details', hint: 'Names and ingredients' },
  AllergyIntolerance: { own: 'Your allergies', other: 'Allergies', hint: 'Allergies and intolerances' },
  Immunization: { own: 'Your vaccinations', other: 'Vaccinations' },
  Procedure: { own: 'Your procedures', other: 'Procedures', hint: 'Operations and treatments' },
  DiagnosticReport: {
    own: 'Your reports',
    other: 'Reports',
    hint: 'Laboratory, imaging and other examinations',
  },
  DocumentReference: { own: 'Your documents', other: 'Documents', hint: 'Notes, letters and summaries' },
  Encounter: { own: 'Your visits', other: 'Visits', hint: 'When, where and with whom' },
  CarePlan: { own: 'Your care plan', other: 'Care plans' },
  CareTeam: { own: 'Your care team', other: 'Care teams', hint: 'Who is involved in the care' },
  Goal: { own: 'Your health goals', other: 'Health goals' },
  ServiceRequest: { own: 'Your referrals and orders', other: 'Referrals and orders' },
  QuestionnaireResponse: { own: 'Your answers to questionnaires', other: 'Answers to questionnaires' },
  Specimen: { own: 'Your samples', other: 'Samples', hint: 'Which samples were collected, and when' },
  Device: {
    own: 'Your implanted devices',
    other: 'Implanted devices',
    hint: 'Type, manufacturer, serial number',
  },
  Coverage: { own: 'Your insurance', other: 'Insurance', hint: 'Plan, member number, start date' },
  RelatedPerson: { own: 'People close to you', other: 'Family and guardians', hint: 'Names and contact' },
  Provenance: {
    own: 'Where your record comes from',
    other: 'Where records come from',
    hint: 'Who wrote what',
  },
  Practitioner: { own: 'Clinicians', other: 'Clinicians', hint: 'Names and professional contact' },
  PractitionerRole: {
    own: 'Roles of clinicians',
    other: 'Roles of clinicians',
    hint: 'Where they work, and in which role',
  },
  Organization: {
    own: 'Practices and laboratories',
    other: 'Practices and laboratories',
    hint: 'Names, addresses',
  },
  Location: { own: 'Places of care', other: 'Places of care', hint: 'Names and addresses' },
  Endpoint: {
    own: 'Technical endpoints',
    other: 'Technical endpoints',
    hint: 'Where systems can be reached',
  },
  Group: {
    own: 'The list of patients',
    other: 'The list of patients',
    hint: 'Who is a patient of the practice',
  },
}

const typesInOrder = Object.keys(words) as readonly FhirType[]

/** One line of a consent page. */
export type ScopeLine = Readonly<{
  type: FhirType
  title: string
  hint: string | null
  /** Parts that can be left out one by one; empty when the type is taken or left as a whole. */
  picks: readonly ScopePick[]
  /** The app asked for the whole type, and it has parts: records in none of them can be granted, too. */
  hasRest: boolean
}>

type DescribedScopes = Readonly<{
  /** What may be read, each type once. */
  lines: readonly ScopeLine[]
  /** The app learns who signed in. */
  identity: boolean
  /** It may cover more than one person's record: everything its user sees. */
  beyondOnePerson: boolean
  /** It may go on after the hour, without its user or while they stay signed in: a choice of its own. */
  lasting: 'offline' | 'online' | null
}>

/** What these scopes let an app do, as lines of a consent page. */
export function describeScopes(scopes: readonly Scope[], voice: Voice): DescribedScopes {
  const speaksOf = new Map<FhirType, ResourceScope[]>()
  for (const scope of scopes) {
    if (scope.kind === 'launch') continue
    for (const type of typesOf(scope)) speaksOf.set(type, [...(speaksOf.get(type) ?? []), scope])
  }
  return {
    lines: typesInOrder.flatMap((type) => {
      const found = speaksOf.get(type)
      if (!found) return []
      const { [voice]: title, hint = null } = words[type]
      const picks = offeredPicks(type, found)
      const hasRest = picks.length > 0 && found.some(({ filter }) => filter === null)
      return [{ type, title, hint, picks, hasRest }]
    }),
    identity: hasLaunch(scopes, 'openid') || hasLaunch(scopes, 'fhirUser'),
    beyondOnePerson: scopes.some((scope) => scope.kind === 'resource' && scope.context !== 'patient'),
    lasting: hasLaunch(scopes, 'offline_access')
      ? 'offline'
      : hasLaunch(scopes, 'online_access')
        ? 'online'
        : null,
  }
}

/** What a person left ticked. */
export type ScopeChoice = Readonly<{
  types: readonly string[]
  /** Names as `pickName` gives them. */
  picks: readonly string[]
  /** Neither `offline_access` nor `online_access` without it. */
  lasting: boolean
}>

/** The name of a pick in a form, `Condition?category=system|code`. */
export const pickName = (type: FhirType, filter: ScopeFilter): string => `${type}?${formatFilter(filter)}`

/** What a type holds, in plain words. */
export const typeLabel = (type: FhirType): string => words[type].other

/** The name, among those of the parts, of everything of the type that is in none of them. */
export const restName = (type: FhirType): string => `${type}?*`

/** Every box of a line besides the type's own, by name: what a form has ticked at first. */
export function boxNames({ type, picks, hasRest }: ScopeLine): readonly string[] {
  return [...picks.map(({ filter }) => pickName(type, filter)), ...(hasRest ? [restName(type)] : [])]
}

/**
 * The scopes that a choice leaves of what was offered. A type stays whole when all its parts and the rest are ticked;
 * else the ticked parts take its place, also when they are all its parts. Unknown names choose nothing.
 */
export function chooseScopes(offered: readonly Scope[], choice: ScopeChoice): readonly Scope[] {
  const wanted = offered.filter((scope) => choice.lasting || !isLasting(scope))
  const { lines } = describeScopes(offered, 'own')
  const parts = lines.map((line) => chosenParts(line, choice))
  if (parts.every((chosen) => chosen === 'whole')) return wanted
  const ceiling = lines.flatMap(({ type }, index) => {
    const chosen = parts[index] ?? []
    return (chosen === 'whole' ? [null] : chosen).flatMap((filter) => scopesOf(type, filter))
  })
  return narrow(wanted, [...offered.filter((scope) => scope.kind === 'launch'), ...ceiling])
}

function chosenParts(line: ScopeLine, choice: ScopeChoice): 'whole' | readonly ScopeFilter[] {
  const { type, picks } = line
  if (!choice.types.includes(type)) return []
  if (boxNames(line).every((name) => choice.picks.includes(name))) return 'whole'
  // No scope says "all but these parts": the rest without every part is not granted.
  return picks.flatMap(({ filter }) => (choice.picks.includes(pickName(type, filter)) ? [filter] : []))
}

function scopesOf(type: FhirType, filter: ScopeFilter | null): readonly ResourceScope[] {
  const everything = { kind: 'resource', type, read: true, search: true, version: 2, filter } as const
  return (['patient', 'user', 'system'] as const).map((context) => ({ ...everything, context }))
}

/** An app that asked for parts is offered those; one that asked for the whole type, the usual parts. */
function offeredPicks(type: FhirType, scopes: readonly ResourceScope[]): readonly ScopePick[] {
  const usual = picksOf(type)
  if (scopes.some(({ filter }) => filter === null)) return usual
  const filters = new Map(scopes.flatMap(({ filter }) => (filter ? [[pickName(type, filter), filter]] : [])))
  return [...filters].map(
    ([name, filter]) =>
      usual.find((pick) => pickName(type, pick.filter) === name) ?? {
        filter,
        title: filter.code,
        hint: null,
      },
  )
}

const hasLaunch = (scopes: readonly Scope[], name: LaunchScope['name']): boolean =>
  scopes.some((scope) => scope.kind === 'launch' && scope.name === name)

const isLasting = (scope: Scope): boolean =>
  scope.kind === 'launch' && (scope.name === 'offline_access' || scope.name === 'online_access')
