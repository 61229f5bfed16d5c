/** Plans, teams and goals: https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-careplan.html and its neighbours. */
import type { CarePlan, CareTeam, Goal } from 'fhir/r4.js'
import { carePlanCategories, profiles } from '../codes/codes.ts'
import type { CarePlanEvent, CareTeamEvent, GoalEvent } from '../timeline/events.ts'
import {
  type Context,
  clinicalMeta,
  encounterOf,
  narrative,
  practitioner,
  quantity,
  subject,
} from './clinical-elements.ts'
import { concept } from './elements.ts'

export function carePlanResource(event: CarePlanEvent, context: Context): CarePlan {
  return {
    resourceType: 'CarePlan',
    id: context.id,
    meta: clinicalMeta(profiles.carePlan, event.sensitive),
    text: narrative(`${event.title} for ${context.patientName}`, event.lines),
    status: event.status,
    intent: 'plan',
    category: [concept(carePlanCategories.assessPlan)],
    title: event.title,
    subject: subject(context),
    ...encounterOf(event, context),
    period: { start: event.at.slice(0, 10), ...(event.until ? { end: event.until } : {}) },
    created: event.at,
    author: practitioner(context.clinicianId),
    ...(event.conditions.length > 0 ? { addresses: event.conditions.map(context.reference) } : {}),
    ...(event.goals.length > 0 ? { goal: event.goals.map(context.reference) } : {}),
  }
}

export function careTeamResource(event: CareTeamEvent, context: Context): CareTeam {
  return {
    resourceType: 'CareTeam',
    id: context.id,
    meta: clinicalMeta(profiles.careTeam),
    status: event.status,
    name: event.name,
    subject: subject(context),
    period: { start: event.at.slice(0, 10) },
    participant: event.members.map(({ role, clinicianId, clinicianRoleId, related }) => ({
      role: [concept(role)],
      member: clinicianId
        ? practitioner(clinicianId)
        : clinicianRoleId
          ? { reference: `PractitionerRole/${clinicianRoleId}` }
          : related
            ? context.reference(related)
            : subject(context),
    })),
    managingOrganization: [{ reference: `Organization/${context.organizationId}` }],
  }
}

export function goalResource(event: GoalEvent, context: Context): Goal {
  return {
    resourceType: 'Goal',
    id: context.id,
    meta: clinicalMeta(profiles.goal),
    lifecycleStatus: event.status,
    description: event.coding ? concept(event.coding, event.description) : { text: event.description },
    subject: subject(context),
    startDate: event.at.slice(0, 10),
    target: [
      {
        // gol-1: a detail needs its measure.
        ...(event.measure && event.target
          ? { measure: concept(event.measure), detailQuantity: quantity(event.target) }
          : {}),
        dueDate: event.due,
      },
    ],
    ...(event.conditions.length > 0 ? { addresses: event.conditions.map(context.reference) } : {}),
  }
}
