/**
 * The groups of the consent page: everything an app may ask to read belongs to exactly one of them, as a box. A box is a
 * type, a part of a type, or the rest of a type that has parts. Sensitive groups start unticked where patients decide.
 */
import type { FhirType } from '../fhir/registry.ts'
import {
  describeScopes,
  pickName,
  restName,
  type ScopeChoice,
  type ScopeLine,
  type Voice,
} from './scope-labels.ts'
import { parseScopes, type Scope, type ScopeFilter } from './scopes.ts'

type GroupRow = Readonly<{ title: string; hint: string; sensitive?: true }>

/** In the order in which people are asked. */
export const consentGroups = {
  personal: { title: 'Personal details', hint: 'Name, birth date, contact, family and insurance' },
  conditions: { title: 'Conditions and care plans', hint: 'Health problems, care plans and goals' },
  medications: { title: 'Medications', hint: 'Prescriptions, doses and what a pharmacy handed out' },
  allergies: { title: 'Allergies and vaccinations', hint: 'Reactions, and vaccines with their dates' },
  tests: { title: 'Test results and reports', hint: 'Lab tests, imaging and other examinations' },
  vitals: { title: 'Vital signs', hint: 'Blood pressure, weight, height, pulse and temperature' },
  visits: { title: 'Visits and procedures', hint: 'Visits, operations, referrals, clinicians and places' },
  documents: { title: 'Documents', hint: 'Notes, letters and summaries, and who wrote what' },
  sensitive: {
    title: 'Habits, mood and living situation',
    hint: 'Smoking and alcohol, questionnaires, housing and safety',
    sensitive: true,
  },
} as const satisfies Readonly<Record<string, GroupRow>>

export type ConsentGroup = keyof typeof consentGroups

/** Of a type: its whole, its rest, and each part that `groupOfPart` does not name. */
const groupOfType: Readonly<Record<FhirType, ConsentGroup>> = {
  Patient: 'personal',
  RelatedPerson: 'personal',
  Coverage: 'personal',
  Group: 'personal',
  Condition: 'conditions',
  CarePlan: 'conditions',
  Goal: 'conditions',
  MedicationRequest: 'medications',
  MedicationDispense: 'medications',
  Medication: 'medications',
  AllergyIntolerance: 'allergies',
  Immunization: 'allergies',
  DiagnosticReport: 'tests',
  Specimen: 'tests',
  Encounter: 'visits',
  Procedure: 'visits',
  ServiceRequest: 'visits',
  Device: 'visits',
  CareTeam: 'visits',
  Practitioner: 'visits',
  PractitionerRole: 'visits',
  Organization: 'visits',
  Location: 'visits',
  Endpoint: 'visits',
  DocumentReference: 'documents',
  Provenance: 'documents',
  QuestionnaireResponse: 'sensitive',
  // An observation without a known category can be about anything.
  Observation: 'sensitive',
}

/** By category code, whatever its system: an app may leave the system out. */
const groupOfPart: Partial<Readonly<Record<FhirType, Readonly<Record<string, ConsentGroup>>>>> = {
  Observation: {
    laboratory: 'tests',
    'clinical-test': 'tests',
    imaging: 'tests',
    exam: 'tests',
    procedure: 'tests',
    'vital-signs': 'vitals',
    'social-history': 'sensitive',
    survey: 'sensitive',
    sdoh: 'sensitive',
  },
}

/** The group of a type, or of a part of it. */
export function groupOf(type: FhirType, filter: ScopeFilter | null): ConsentGroup {
  const parts = groupOfPart[type]
  const named = filter !== null && parts && Object.hasOwn(parts, filter.code) ? parts[filter.code] : undefined
  return named ?? groupOfType[type]
}

/** What can be ticked and left out by itself. */
type ConsentBox = Readonly<{
  /** `Goal`, `Condition?category=system|code`, or `Condition?*` for the rest. */
  name: string
  type: FhirType
  title: string
  typeTitle: string
  hint: string | null
  /** Granted only together with every part of its type, also those of other groups. */
  isRest: boolean
}>

export type OfferedGroup = Readonly<{
  id: ConsentGroup
  title: string
  hint: string
  sensitive: boolean
  boxes: readonly ConsentBox[]
  /** The app asks for some of what the group stands for: the title alone would say too much. */
  partial: boolean
  /** What the app asks for, in titles: a type that is asked for as a whole is named once, without its parts. */
  contents: readonly string[]
}>

const groupsInOrder = Object.keys(consentGroups) as readonly ConsentGroup[]

const rest = { hint: 'Now and later. Shared only with all parts' }

/** The groups with something that these scopes ask for. */
export function groupScopes(scopes: readonly Scope[], voice: Voice): readonly OfferedGroup[] {
  const boxes = describeScopes(scopes, voice).lines.flatMap(boxesOf)
  const offered = new Set(boxes.map(({ box }) => box.name))
  return groupsInOrder.flatMap((id): OfferedGroup[] => {
    const own = boxes.filter(({ group }) => group === id).map(({ box }) => box)
    if (own.length === 0) return []
    const row: GroupRow = consentGroups[id]
    const partial = wholeGroups[id].some((name) => !offered.has(name))
    const isWhole = ({ type }: ConsentBox) =>
      own.some((box) => box.type === type && box.isRest) &&
      boxes.every(({ group, box }) => box.type !== type || group === id)
    const contents = [...new Set(own.map((box) => (isWhole(box) ? box.typeTitle : box.title)))]
    const { title, hint } = row
    return [{ id, title, hint, sensitive: row.sensitive === true, boxes: own, partial, contents }]
  })
}

function boxesOf(line: ScopeLine): readonly { group: ConsentGroup; box: ConsentBox }[] {
  const { type, title, hint, picks, hasRest } = line
  if (picks.length === 0)
    return [
      { group: groupOf(type, null), box: { name: type, type, title, typeTitle: title, hint, isRest: false } },
    ]
  const parts = picks.map(({ filter, ...words }) => ({
    group: groupOf(type, filter),
    box: { name: pickName(type, filter), type, ...words, typeTitle: title, isRest: false },
  }))
  if (!hasRest) return parts
  const restTitle = `${title} that no other part covers`
  const ownRest = { name: restName(type), type, title: restTitle, typeTitle: title, ...rest, isRest: true }
  return [...parts, { group: groupOf(type, null), box: ownRest }]
}

/** The boxes of each group when everything in a patient's record is asked for. */
const wholeGroups: Readonly<Record<ConsentGroup, readonly string[]>> = (() => {
  const { lines } = describeScopes(parseScopes('patient/*.rs').scopes, 'other')
  const boxes = lines.flatMap(boxesOf)
  const namesIn = (id: ConsentGroup) => boxes.filter(({ group }) => group === id).map(({ box }) => box.name)
  return Object.fromEntries(groupsInOrder.map((id) => [id, namesIn(id)])) as Record<ConsentGroup, string[]>
})()

/** What a form sends: a box counts only where its group is ticked, too. */
export type GroupChoice = Readonly<{ groups: readonly string[]; boxes: readonly string[] }>

/** The choice by types and parts that the ticked boxes come to. Unknown names choose nothing. */
export function chooseGroups(
  groups: readonly OfferedGroup[],
  choice: GroupChoice,
): Pick<ScopeChoice, 'types' | 'picks'> {
  const ticked = groups
    .filter(({ id }) => choice.groups.includes(id))
    .flatMap(({ boxes }) => boxes.filter(({ name }) => choice.boxes.includes(name)))
  return {
    types: [...new Set(ticked.map(({ type }) => type as string))],
    picks: ticked.flatMap(({ name, type }) => (name === type ? [] : [name])),
  }
}

/** The boxes of an offer that were granted and those that were not: what is remembered of a consent. */
export function splitBoxes(offered: readonly Scope[], granted: readonly Scope[]) {
  const names = (scopes: readonly Scope[]) =>
    describeScopes(scopes, 'other').lines.flatMap((line) => boxesOf(line).map(({ box }) => box.name))
  const held = new Set(names(granted))
  const all = names(offered)
  return { chosen: all.filter((name) => held.has(name)), refused: all.filter((name) => !held.has(name)) }
}

/** Boxes of an earlier consent, by what the person decided about them. */
export type EarlierChoice = Readonly<{ chosen: readonly string[]; refused: readonly string[] }>

/**
 * What is ticked when the question is asked: what was chosen the last time, and of what was not asked then everything but
 * sensitive records. A clinician's app works with other people's records, so nothing of it starts unticked.
 */
export function firstChoice(
  groups: readonly OfferedGroup[],
  realm: 'patient' | 'practice',
  earlier: EarlierChoice | null,
): GroupChoice {
  const isTicked = ({ sensitive }: OfferedGroup, name: string) => {
    if (earlier?.refused.includes(name)) return false
    return earlier?.chosen.includes(name) || realm === 'practice' || !sensitive
  }
  const ticked = groups.map((group) => ({
    group,
    names: group.boxes.flatMap(({ name }) => (isTicked(group, name) ? [name] : [])),
  }))
  return {
    groups: ticked.flatMap(({ group, names }) => (names.length > 0 ? [group.id] : [])),
    // Of a group that is off every box is ready, so that one tick of the group is enough.
    boxes: ticked.flatMap(({ group, names }) =>
      names.length > 0 ? names : group.boxes.map(({ name }) => name),
    ),
  }
}
