/** A patient's record while stories add events to it. The physiology reads problems and drugs from it. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import {
  type AllergenKey,
  allergens,
  apart,
  type ConditionKey,
  classOf,
  conditions,
  type DrugClass,
  type MedicationKey,
  medications,
  type ObservationProfile,
  ruledOutBy,
  type Specialty,
  suppliedAmount,
  terms,
  unsuited,
} from '../codes/codes.ts'
import { addDays, addYears, easternTime, yearsBetween } from '../people/calendar.ts'
import type { Person } from '../people/person.ts'
import { hasProblem, type Physiology, type TakenDrug, type Traits, uniform } from '../traits/traits.ts'
import type { AtVisit, ClinicalEvent, EventOf, Reason, Unnamed } from './events.ts'

/** The patient of a record at a practice. */
export interface Subject {
  readonly person: Person
  readonly traits: Traits
  /** The first day of the period with complete visits. */
  readonly from: string
  /** The last day: the death or the reference date. */
  readonly until: string
  /** Whole years on the last day. */
  readonly age: number
  readonly asOf: string
  /** Practitioner id of the patient's own clinician. */
  readonly clinicianId: string
  /** Practitioner ids by specialty. */
  readonly specialists: ReadonlyMap<Specialty, string>
}

/** Whole years. */
export const ageAt = ({ traits }: Subject, date: string): number => yearsBetween(traits.birthDay, date)

type Observed = Partial<Omit<EventOf<'observation'>, 'kind' | 'key' | 'at' | 'visit' | 'profile'>>

export interface Visit {
  readonly key: string
  readonly date: string
  readonly at: string
  readonly end: string
  readonly clinicianId: string
  readonly feverish: boolean
  /** Adds an event of the visit. @returns the event's key */
  readonly add: (event: AtVisit) => string
  readonly observe: (
    profile: ObservationProfile,
    categories: Coding | readonly Coding[],
    codes: Coding | readonly Coding[],
    observed?: Observed,
  ) => string
}

interface VisitPlan {
  readonly date: string
  readonly type?: Coding
  readonly class?: Coding
  readonly reason?: Reason | undefined
  readonly minutes?: number
  /** Minutes after midnight; a time in office hours by default. */
  readonly start?: number
  /** Nights in hospital. */
  readonly days?: number
  /** Seen by the practice's clinician of that specialty, if it has one, and not by the patient's own. */
  readonly by?: Specialty
  readonly feverish?: boolean | undefined
  readonly discharge?: Coding
  readonly sensitive?: boolean
}

interface ProblemPlan
  extends Pick<EventOf<'condition'>, 'abated' | 'screening' | 'verification' | 'sensitive'> {
  /** A key in advance, for a visit that refers to the problem before it is added. */
  readonly key?: string
  readonly onset: string
  readonly visit?: Visit
  readonly role?: EventOf<'condition'>['role']
  /** Only the day on which it was asserted is known. */
  readonly assertedOnly?: boolean
}

interface DrugPlan
  extends Pick<EventOf<'prescription'>, 'until' | 'reason' | 'reported' | 'listed' | 'sensitive'> {
  readonly from: string
  readonly visit?: Visit | undefined
  readonly fills?: number
}

export type Chart = ReturnType<typeof createChart>

export function createChart(subject: Subject) {
  const events: ClinicalEvent[] = []
  const visits: Visit[] = []
  const problems = new Map<ConditionKey, { from: string; until?: string | undefined }>()
  const problemKeys = new Map<ConditionKey, string>()
  const drugs: TakenDrug[] = []
  const pregnancies: { from: string; until: string }[] = []
  const physiology: Physiology = { traits: subject.traits, problems, drugs, pregnancies }
  let count = 0

  /** Named by kind and place unless it has a key. @returns the key */
  function add(event: Unnamed): string {
    const key = event.key ?? `${event.kind}-${count++}`
    events.push({ ...event, key } as ClinicalEvent)
    return key
  }

  function visit(plan: VisitPlan): Visit {
    const {
      date,
      type = terms.encounterTypes.followUp,
      class: kind = terms.encounterClasses.ambulatory,
    } = plan
    // Visits begin at a quarter of an hour, from eight in the morning.
    const start = plan.start ?? 480 + Math.floor(uniform(subject.traits.noiseSeed, date) * 30) * 15
    const key = `encounter-${count++}`
    const clinicianId = (plan.by && subject.specialists.get(plan.by)) ?? subject.clinicianId
    const at = easternTime(date, start)
    // A visit ends before midnight.
    const end = easternTime(addDays(date, plan.days ?? 0), Math.min(start + (plan.minutes ?? 25), 1425))
    const { reason, discharge, sensitive } = plan
    add({ kind: 'encounter', key, at, end, type, class: kind, clinicianId, reason, discharge, sensitive })
    const addHere = (event: AtVisit) => add({ ...event, at, visit: key } as Unnamed)
    const created: Visit = {
      ...{ key, date, at, end, clinicianId, feverish: plan.feverish ?? false },
      add: addHere,
      observe: (profile, categories, codes, observed) =>
        addHere({
          kind: 'observation',
          profile,
          categories: [categories].flat(),
          codes: [codes].flat(),
          ...observed,
        }),
    }
    visits.push(created)
    return created
  }

  /** A lasting problem goes on the list once; an acute one is a diagnosis of its visit. @returns its key */
  function problem(
    code: ConditionKey,
    { assertedOnly, visit: found, onset, role = 'problem', ...plan }: ProblemPlan,
  ): string {
    const already = problemKeys.get(code)
    const lasting = role !== 'diagnosis'
    if (already !== undefined && lasting) return already
    if (lasting) problems.set(code, { from: onset, until: plan.abated })
    const key = add({
      ...plan,
      kind: 'condition',
      at: found?.at ?? onset,
      role,
      code,
      recorded: found?.date ?? onset,
      onset: assertedOnly ? undefined : onset,
      visit: found?.key,
    })
    if (lasting) problemKeys.set(code, key)
    return key
  }

  /**
   * What is taken, its order, and what the pharmacy gave out for it. An order lasts a year: of what began before the
   * time told there is the last one; of what began within it the first, too.
   */
  function drug(medication: MedicationKey, plan: DrugPlan): void {
    const { course, days = 10, indications } = medications[medication]
    const { from } = plan
    const until = plan.until ?? (course ? addDays(from, days - 1) : undefined)
    drugs.push({ key: medication, from, until })
    const known = indications.find((each): each is ConditionKey => problemKeys.has(each as ConditionKey))
    const reason = plan.reason ?? (known && { condition: problemKeys.get(known) ?? '' })
    const order = { ...plan, reason, until }
    const last = until !== undefined && until < subject.until ? until : subject.until
    const renewed = addYears(from, Math.max(0, yearsBetween(from, last)))
    if (from >= subject.from || from === renewed) prescribe(medication, { ...order, last: from === renewed })
    if (renewed > from)
      prescribe(medication, { ...order, from: renewed, visit: undefined, last: true, again: true })
  }

  function prescribe(medication: MedicationKey, plan: DrugPlan & { last: boolean; again?: boolean }): void {
    const { course, asNeeded } = medications[medication]
    const { from, until, visit: at, reported, listed, sensitive, reason } = plan
    const quantity = suppliedAmount(medication)
    const ended = (until !== undefined && until < subject.until) || subject.person.deceasedAt !== undefined
    const prescription = add({
      kind: 'prescription',
      at: at?.at ?? easternTime(from, 540),
      visit: at?.key,
      refills: course || asNeeded ? 0 : 3,
      status: course || !plan.last ? 'completed' : ended ? 'stopped' : 'active',
      ...{ medication, quantity, until, reason, reported, listed, sensitive },
    })
    for (let fill = 0; fill < (reported ? 0 : (plan.fills ?? 1)); fill++) {
      const handed = addDays(from, fill * 90)
      if (handed > subject.until || (until !== undefined && handed > until)) break
      const first = fill === 0 && !plan.again
      add({
        kind: 'dispense',
        at: easternTime(handed, 1065),
        ...{ prescription, medication, quantity, first, listed, sensitive },
      })
    }
  }

  /** Whether a drug may be begun on a day, by what the patient takes, has and does not tolerate. */
  function isSuitable(medication: MedicationKey, date: string): boolean {
    const name = classOf(medication)
    // Includes drugs that begin later but were added before.
    const others = drugs.filter(({ until }) => until === undefined || until >= date)
    const taken = (each: DrugClass) => others.some(({ key }) => classOf(key) === each)
    if (others.some(({ key }) => key === medication)) return false
    if (name !== undefined) {
      if (taken(name)) return false
      if (apart.some(([one, other]) => (one === name && taken(other)) || (other === name && taken(one))))
        return false
      if (unsuited[name]?.some((each) => hasProblem(physiology, each, date))) return false
    }
    const allergies = events.flatMap((event) => (event.kind === 'allergy' ? [event.substance.code] : []))
    return !(Object.keys(ruledOutBy) as AllergenKey[]).some(
      (key) => allergies.includes(allergens[key].coding.code) && ruledOutBy[key]?.includes(medication),
    )
  }

  /** What was found at a visit: problems that began that day, and the drugs begun for them. */
  function recordAt({ key, at, date }: Visit): void {
    for (const [index, event] of events.entries()) {
      const found =
        event.kind === 'condition'
          ? event.role === 'problem' && event.onset === date
          : event.kind === 'prescription' && event.at.slice(0, 10) === date
      if (found && event.visit === undefined) events[index] = { ...event, visit: key, at }
    }
  }

  return {
    subject,
    physiology,
    events: events as readonly ClinicalEvent[],
    visits: visits as readonly Visit[],
    add,
    visit,
    recordAt,
    problem,
    drug,
    /** The first of them that may be begun. */
    firstSuitable: (keys: readonly MedicationKey[], date: string) =>
      keys.find((key) => isSuitable(key, date)),
    /** Added before its visits, because weight and blood pressure depend on it. */
    pregnancy: (from: string, until: string) => void pregnancies.push({ from, until }),
    /** Key of a problem on the list. */
    problemKey: (code: ConditionKey | undefined) => code && problemKeys.get(code),
    problemText: (code: ConditionKey) => conditions[code].text,
  }
}
