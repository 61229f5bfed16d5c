/** A patient's record while it is being told: the stories add to it, the physiology reads from it. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import {
  type ConditionKey,
  conditions,
  encounterClasses,
  encounterTypes,
  type MedicationKey,
  medications,
  type Specialty,
  suppliedAmount,
} from '../codes/codes.ts'
import { addDays, addYears, easternTime, yearsBetween } from '../people/calendar.ts'
import { uniform } from '../traits/noise.ts'
import type { Physiology, TakenDrug } from '../traits/physiology.ts'
import type { ClinicalEvent, ConditionEvent, EncounterEvent, Reason, Unnamed } from './events.ts'
import type { Subject } from './subject.ts'

export interface Visit {
  readonly key: string
  readonly date: string
  readonly at: string
  readonly end: string
  readonly clinicianId: string
  readonly feverish: boolean
}

interface VisitPlan {
  readonly date: string
  readonly type?: Coding
  readonly class?: Coding
  readonly reason?: Reason
  readonly minutes?: number
  /** Minutes after midnight; an office hour when left out. */
  readonly start?: number
  /** Nights in hospital. */
  readonly days?: number
  /** Seen by the practice's clinician of that specialty, if it has one, and not by the patient's own. */
  readonly by?: Specialty
  readonly feverish?: boolean
  readonly discharge?: Coding
  readonly sensitive?: boolean
}

interface ProblemPlan {
  /** For those who must speak of it before it is there: the visit that it is the reason of. */
  readonly key?: string
  readonly onset: string
  readonly abated?: string
  readonly visit?: Visit
  readonly screening?: Coding
  readonly role?: ConditionEvent['role']
  readonly verification?: ConditionEvent['verification']
  /** Only the day on which it was asserted is known. */
  readonly assertedOnly?: boolean
  readonly sensitive?: boolean
}

interface DrugPlan {
  readonly from: string
  readonly until?: string
  readonly visit?: Visit
  readonly reason?: Reason
  readonly reported?: 'patient' | 'clinician'
  readonly listed?: boolean
  readonly fills?: number
  readonly sensitive?: boolean
}

export type Chart = ReturnType<typeof createChart>

export function createChart(subject: Subject) {
  const events: ClinicalEvent[] = []
  const visits: Visit[] = []
  const problems = new Map<ConditionKey, { from: string; until?: string }>()
  const problemKeys = new Map<ConditionKey, string>()
  const drugs: TakenDrug[] = []
  const pregnancies: { from: string; until: string }[] = []
  const physiology: Physiology = { traits: subject.traits, problems, drugs, pregnancies }
  let count = 0

  /** Named by kind and place unless it has a key. @returns the key */
  function add(event: Unnamed<ClinicalEvent>): string {
    const key = event.key ?? `${event.kind}-${count++}`
    events.push({ ...event, key } as ClinicalEvent)
    return key
  }

  function visit(plan: VisitPlan): Visit {
    // From eight in the morning; a quarter of an hour is a place in the day.
    const start = plan.start ?? 480 + Math.floor(uniform(subject.traits.noiseSeed, plan.date) * 30) * 15
    const key = `encounter-${count++}`
    const clinicianId = (plan.by && subject.specialists.get(plan.by)) ?? subject.clinicianId
    const at = easternTime(plan.date, start)
    // An hour of that day: what would last beyond midnight is told as ending before it.
    const last = addDays(plan.date, plan.days ?? 0)
    const end = easternTime(last, Math.min(start + (plan.minutes ?? 25), 1425))
    const event: EncounterEvent = {
      kind: 'encounter',
      key,
      at,
      end,
      type: plan.type ?? encounterTypes.followUp,
      class: plan.class ?? encounterClasses.ambulatory,
      clinicianId,
      locationId: 'loc-main',
      ...(plan.reason ? { reason: plan.reason } : {}),
      ...(plan.discharge ? { discharge: plan.discharge } : {}),
      ...(plan.sensitive ? { sensitive: true } : {}),
    }
    events.push(event)
    const made = { key, date: plan.date, at, end, clinicianId, feverish: plan.feverish ?? false }
    visits.push(made)
    return made
  }

  /** A lasting problem goes on the list once; an acute one is a diagnosis of its visit. @returns its key */
  function problem(code: ConditionKey, plan: ProblemPlan): string {
    const already = problemKeys.get(code)
    const lasting = plan.role !== 'diagnosis'
    if (already !== undefined && lasting) return already
    if (lasting) problems.set(code, { from: plan.onset, ...(plan.abated ? { until: plan.abated } : {}) })
    const recorded = plan.visit?.date ?? plan.onset
    const key = add({
      kind: 'condition',
      ...(plan.key ? { key: plan.key } : {}),
      at: plan.visit?.at ?? plan.onset,
      role: plan.role ?? 'problem',
      code,
      recorded,
      ...(plan.assertedOnly ? {} : { onset: plan.onset }),
      ...(plan.abated ? { abated: plan.abated } : {}),
      ...(plan.visit ? { visit: plan.visit.key } : {}),
      ...(plan.screening ? { screening: plan.screening } : {}),
      ...(plan.verification ? { verification: plan.verification } : {}),
      ...(plan.sensitive ? { sensitive: true } : {}),
    })
    if (lasting) problemKeys.set(code, key)
    return key
  }

  /**
   * What is taken, its order, and what the pharmacy gave out for it. An order lasts a year: of what began before the
   * time told there is the last one; of what began within it the first, too.
   */
  function drug(medication: MedicationKey, plan: DrugPlan): void {
    const { course, days, indications } = medications[medication]
    const until = plan.until ?? (course ? addDays(plan.from, (days ?? 10) - 1) : undefined)
    drugs.push({ key: medication, from: plan.from, ...(until ? { until } : {}) })
    const known = indications.find((each): each is ConditionKey => problemKeys.has(each as ConditionKey))
    const reason = plan.reason ?? (known ? { condition: problemKeys.get(known) ?? '' } : undefined)
    const order = { ...plan, ...(reason ? { reason } : {}), ...(until ? { until } : {}) }
    const renewed = renewedOn(plan.from, until)
    if (plan.from >= subject.from || plan.from === renewed)
      prescribe(medication, { ...order, last: plan.from === renewed })
    if (renewed > plan.from)
      prescribe(medication, { ...order, from: renewed, visit: undefined, last: true, again: true })
  }

  /** Day of the last yearly order. */
  function renewedOn(from: string, until = subject.until): string {
    const [last = until] = [until, subject.until].sort()
    const years = Math.max(0, yearsBetween(from, last))
    return addYears(from, years)
  }

  function prescribe(
    medication: MedicationKey,
    plan: Omit<DrugPlan, 'visit'> & { visit?: Visit | undefined; last: boolean; again?: boolean },
  ): void {
    const { course, asNeeded } = medications[medication]
    const { from, until, visit, reported } = plan
    const quantity = suppliedAmount(medication)
    const ended = (until !== undefined && until < subject.until) || subject.person.deceasedAt !== undefined
    const kept = {
      ...(plan.listed ? { listed: true } : {}),
      ...(plan.sensitive ? { sensitive: true } : {}),
    }
    const prescription = add({
      kind: 'prescription',
      at: visit?.at ?? easternTime(from, 540),
      medication,
      quantity,
      refills: course || asNeeded ? 0 : 3,
      status: course || !plan.last ? 'completed' : ended ? 'stopped' : 'active',
      ...(until ? { until } : {}),
      ...(plan.reason ? { reason: plan.reason } : {}),
      ...(visit ? { visit: visit.key } : {}),
      ...(reported ? { reported } : {}),
      ...kept,
    })
    for (let fill = 0; fill < (reported ? 0 : (plan.fills ?? 1)); fill++) {
      const handed = addDays(from, fill * 90)
      if (handed > subject.until || (until !== undefined && handed > until)) break
      add({
        kind: 'dispense',
        at: easternTime(handed, 1065),
        prescription,
        medication,
        quantity,
        first: fill === 0 && !plan.again,
        ...kept,
      })
    }
  }

  /** What was found at a visit: problems that began that day, and the drugs begun for them. */
  function recordAt(made: Visit): void {
    for (const [index, event] of events.entries()) {
      const found =
        event.kind === 'condition'
          ? event.role === 'problem' && event.onset === made.date
          : event.kind === 'prescription' && event.at.slice(0, 10) === made.date
      if (found && event.visit === undefined) events[index] = { ...event, visit: made.key, at: made.at }
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
    /** Told before its visits, so that weight and pressure know of it. */
    pregnancy: (from: string, until: string) => void pregnancies.push({ from, until }),
    /** Key of a problem on the list. */
    problemKey: (code: ConditionKey | undefined) => (code === undefined ? undefined : problemKeys.get(code)),
    problemText: (code: ConditionKey) => conditions[code].text,
  }
}
