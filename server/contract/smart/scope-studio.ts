/**
 * The scope studio: what an app's developer ticks, as scopes, and the way back. It offers what the consent page offers,
 * type by type and part by part, so that its preview is the very question that people will be asked.
 */
import { type FhirType, fhirTypeNumbers } from '../fhir/registry.ts'
import type { AppAudience } from '../workflows/registration-form.ts'
import { describeScopes, pickName } from './scope-labels.ts'
import { picksOf, type ScopePick } from './scope-picks.ts'
import { formatScope, isTypeOfContext, parseScopes, type ResourceScope, type Scope } from './scopes.ts'

/** How far an app of an audience may look; the first is what is proposed. */
export const reaches = {
  patient: ['patient'],
  clinician: ['patient', 'user'],
  backend: ['system'],
} as const satisfies Record<AppAudience, readonly ResourceScope['context'][]>

export type Reach = ResourceScope['context']

/** Scopes that are about no type, for apps that people use. */
export const launchChoices = {
  'launch/patient': 'Know whose record it is',
  launch: 'Open from an EHR',
  'launch/encounter': 'Know which visit it is about',
  openid: 'Know who signed in',
  fhirUser: 'Know which patient or clinician that is',
  offline_access: 'Keep access when the person is away',
  online_access: 'Keep access while the person stays signed in',
} as const
type LaunchChoice = keyof typeof launchChoices

const launchNames = Object.keys(launchChoices) as readonly LaunchChoice[]

/** Which of them an app of an audience may tick. */
export function launchesOf(audience: AppAudience): readonly LaunchChoice[] {
  if (audience === 'backend') return []
  return audience === 'clinician'
    ? launchNames
    : launchNames.filter((name) => name !== 'launch' && name !== 'launch/encounter')
}

/** A type that may be ticked, with the parts it can be narrowed to. */
type StudioLine = Readonly<{
  type: FhirType
  title: string
  hint: string | null
  parts: readonly Readonly<{ name: string; title: string; hint: string | null }>[]
}>

const allTypes = Object.keys(fhirTypeNumbers) as readonly FhirType[]

/** Every type an app of the audience may see, in the order in which people are asked. */
export function studioLines(audience: AppAudience): readonly StudioLine[] {
  const [context] = reaches[audience]
  const everything = allTypes
    .filter((type) => isTypeOfContext(context, type))
    .map((type) => scopeOf(context, type))
  return describeScopes(everything, 'other').lines.map(({ type, title, hint }) => ({
    type,
    title,
    hint,
    parts: picksOf(type).map(({ filter, ...words }) => ({ name: pickName(type, filter), ...words })),
  }))
}

export type StudioChoice = Readonly<{
  reach: Reach
  /** Asked for whole, unless only some of their parts are ticked. */
  types: readonly string[]
  /** Parts, by `pickName`; of a whole type all of them. */
  picks: readonly string[]
  launches: readonly string[]
}>

/**
 * The scopes of what is ticked. Parts stay parts, all of them too: a type is asked for whole only where it is ticked
 * itself and not narrowed. Names that are not offered choose nothing.
 */
export function scopeOfChoice(audience: AppAudience, choice: StudioChoice): string {
  const [first, ...others] = reaches[audience]
  const context: Reach = others.find((each) => each === choice.reach) ?? first
  const launches = launchesOf(audience).filter((name) => choice.launches.includes(name))
  const resources = studioLines(audience).flatMap(({ type }) => {
    const parts = picksOf(type)
    const ticked = parts.filter(({ filter }) => choice.picks.includes(pickName(type, filter)))
    const narrowed = ticked.length > 0 && ticked.length < parts.length
    if (choice.types.includes(type) && !narrowed) return [scopeOf(context, type)]
    return ticked.map((part) => scopeOf(context, type, part))
  })
  return [...launches, ...resources.map(formatScope)].join(' ')
}

/** Lines of the studio that are ticked: a stored scope may name types that an app of this audience is not offered. */
export function tickedLines(audience: AppAudience, { types, picks }: Pick<StudioChoice, 'types' | 'picks'>) {
  return studioLines(audience).filter(
    ({ type, parts }) => types.includes(type) || parts.some(({ name }) => picks.includes(name)),
  )
}

/** What the studio shows ticked for a list of scopes, and the scopes of it that the studio has no box for. */
export function choiceOfScope(
  audience: AppAudience,
  scope: string,
): StudioChoice & Readonly<{ others: readonly string[] }> {
  const { scopes, refused } = parseScopes(scope)
  const contexts: readonly Reach[] = reaches[audience]
  const reach = contexts.findLast((each) => scopes.some((found) => contextOf(found) === each)) ?? contexts[0]
  const [types, picks, launches] = [new Set<string>(), new Set<string>(), [] as string[]]
  const others = refused.map(({ text }) => text)
  const offered = launchesOf(audience)
  for (const found of scopes) {
    if (found.kind === 'launch' && offered.some((name) => name === found.name)) launches.push(found.name)
    else if (found.kind === 'resource' && found.context === reach && found.read && found.search)
      for (const type of found.type === '*' ? allTypes : [found.type]) tick(found, type)
    else others.push(formatScope(found))
  }
  return { reach: reach as Reach, types: [...types], picks: [...picks], launches, others }

  function tick({ filter }: ResourceScope, type: FhirType): void {
    const offeredParts = picksOf(type).map((part) => pickName(type, part.filter))
    const names = filter === null ? offeredParts : [pickName(type, filter)]
    if (names.every((name) => offeredParts.includes(name))) {
      if (filter === null) types.add(type)
      for (const name of names) picks.add(name)
    } else others.push(formatScope({ ...scopeOf(reach as Reach, type), filter }))
  }
}

const contextOf = (scope: Scope): string | null => (scope.kind === 'resource' ? scope.context : null)

function scopeOf(context: Reach, type: FhirType, part: ScopePick | null = null): ResourceScope {
  return {
    kind: 'resource',
    context,
    type,
    read: true,
    search: true,
    filter: part?.filter ?? null,
    version: 2,
  }
}
