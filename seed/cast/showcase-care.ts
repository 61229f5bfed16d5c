/** A team of every kind of member, an implant, a refused vaccine, drugs told by others, and what was put right. */
import {
  careTeamRoles,
  deviceTypes,
  immunizationReasons,
  orderCategories,
  procedures,
  relationships,
} from '../codes/codes.ts'
import { addDays, weekday } from '../people/calendar.ts'
import { practitionerRoleId } from '../resources/around-practice.ts'
import type { Story } from '../stories/story.ts'
import { orderLab } from '../timeline/laboratory.ts'

export const showcaseCare: Story = {
  name: 'showcase of care',
  share: () => 0,
  tell: (chart) => {
    const { subject } = chart
    const visit = chart.visit({ date: weekday(addDays(subject.until, -60)) })
    const here = { at: visit.at, visit: visit.key }
    const helper = chart.add({
      kind: 'relatedPerson',
      at: visit.date,
      relationship: relationships.child,
      name: subject.person.nextOfKin?.name ?? { use: 'official', family: 'Samplewood', given: ['Iris'] },
      telecom: [
        { system: 'phone', use: 'mobile', value: subject.person.nextOfKin?.phone ?? '(207) 555-0103' },
      ],
      addresses: subject.person.addresses.slice(0, 1),
    })
    chart.add({
      kind: 'careTeam',
      ...here,
      name: 'Team for the knee',
      status: 'active',
      members: [
        {
          role: careTeamRoles.primaryCare,
          clinicianRoleId: practitionerRoleId(subject.clinicianId),
        },
        { role: careTeamRoles.cardiologist, clinicianId: subject.specialists.get('cardiology') ?? '' },
        { role: careTeamRoles.caregiver, related: helper },
      ],
    })
    chart.add({
      kind: 'device',
      at: visit.date,
      type: deviceTypes.knee,
      name: 'Knee joint prosthesis',
      lot: '7654321D',
      serial: '10987654D321',
      made: '2019-03-01',
      expires: '2029-03-01',
    })
    chart.add({
      kind: 'immunization',
      ...here,
      vaccine: 'rsvPrefusionBivalent',
      refused: immunizationReasons.objection,
      seen: true,
    })
    chart.add({ kind: 'immunization', at: '2012-09-14', vaccine: 'ppsv23', seen: false })
    chart.drug('ibuprofen-200', {
      from: visit.date,
      visit,
      reported: 'patient',
      reason: { coding: deviceTypes.knee },
    })
    chart.drug('aspirin-81', {
      from: addDays(visit.date, -400),
      reported: 'clinician',
      until: addDays(visit.date, -40),
    })
    chart.drug('hydrocortisone-cream', { from: visit.date, visit, listed: true })
    chart.problem('contact-dermatitis', { onset: visit.date, role: 'diagnosis', visit })
    chart.problem('gout', { onset: addDays(visit.date, -20), visit, verification: 'mistaken' })
    const order = chart.add({
      kind: 'order',
      ...here,
      code: procedures.alcoholCounseling,
      category: orderCategories.counselling,
      reason: { coding: procedures.auditC },
      status: 'revoked',
    })
    chart.add({
      kind: 'procedure',
      ...here,
      code: procedures.alcoholCounseling,
      basedOn: order,
      status: 'not-done',
      clinicianId: visit.clinicianId,
    })
    orderLab(chart, visit, 'urineNitrite', { words: { urineNitrite: 'negative' }, specimen: 'urine' })
    orderLab(chart, visit, 'crp', { texts: { crp: 'Hemolyzed sample; not measured.' } })
  },
}
