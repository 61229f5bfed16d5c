/** Care Team Organizer (22.4.500) with a Care Team Member Act (22.4.500.1) for each person in it. */
import type * as fhir from 'fhir/r4.js'
import { loincSystem } from '../../contract/fhir/ccda-values.ts'
import { assignedPerson, idsOf } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { resourceId } from '../identifiers.ts'
import { shownName } from '../people.ts'
import { newTemplate, refOf, type Section, status } from '../section.ts'
import { interval, shownSpan } from '../times.ts'
import { code, concept, displayText, reference } from '../values.ts'
import { el, text, type Xml } from '../xml.ts'

type Team = fhir.CareTeam & { id: string }
type Person = (fhir.Practitioner | fhir.RelatedPerson | fhir.Patient) & { id: string }
type Member = { person: Person; role: fhir.CodeableConcept | undefined }

/** https://hl7.org/fhir/R4/codesystem-care-team-status.html */
const statuses: Readonly<Record<string, string>> = {
  proposed: 'new',
  active: 'active',
  suspended: 'suspended',
  inactive: 'completed',
}

export const careTeams: Section = {
  columns: ['Team', 'Member', 'Role', 'Status', 'Since'],
  nothing: 'No care team on record.',
  async *items(chart) {
    for await (const team of chart.read<fhir.CareTeam>('CareTeam')) {
      const ref = refOf('careTeams', team)
      const members = await membersOf(chart, team)
      const [first, ...others] = members
      const cells = (member: Member | undefined, head: boolean) => [
        head ? (team.name ?? 'Care team') : '',
        member ? shownName(member.person.name) : '',
        displayText(member?.role),
        head ? (team.status ?? '') : '',
        head ? shownSpan(team.period ?? {}) : '',
      ]
      yield {
        rows: [
          { ref, cells: cells(first, true) },
          ...others.map((member, index) => ({ ref: `${ref}.${index}`, cells: cells(member, false) })),
        ],
        entry: () => (members.length === 0 ? null : organizer(chart, team, members, ref)),
      }
    }
  },
}

/** Those of them who are people, and whose records may be seen. */
async function membersOf(chart: Chart, team: Team): Promise<Member[]> {
  const members: Member[] = []
  for (const { member, role } of team.participant ?? []) {
    const person = await personOf(chart, member)
    if (person !== null) members.push({ person, role: role?.[0] })
  }
  return members
}

async function personOf(chart: Chart, member: fhir.Reference | undefined): Promise<Person | null> {
  const role = await chart.find<fhir.PractitionerRole>(member, 'PractitionerRole')
  return (
    (await chart.find<fhir.Practitioner>(role?.practitioner ?? member, 'Practitioner')) ??
    (await chart.find<fhir.RelatedPerson>(member, 'RelatedPerson')) ??
    (await chart.find<fhir.Patient>(member, 'Patient'))
  )
}

function organizer(chart: Chart, team: Team, members: readonly Member[], ref: string): Xml {
  const its = statuses[team.status ?? ''] ?? 'active'
  return el(
    'organizer',
    { classCode: 'CLUSTER', moodCode: 'EVN' },
    newTemplate('4.500', '2022-06-01'),
    resourceId(chart, team),
    code('code', { code: '86744-0', display: 'Care team' }, loincSystem, {
      children: [el('originalText', {}, text(team.name ?? 'Care team'), reference(ref))],
    }),
    status(its),
    interval('effectiveTime', team.period ?? {}),
    members.map((member) => el('component', {}, memberAct(chart, team, member, its))),
  )
}

function memberAct(chart: Chart, team: Team, { person, role }: Member, its: string): Xml {
  const ids = person.resourceType === 'Practitioner' ? idsOf(chart, person) : resourceId(chart, person)
  return el(
    'act',
    { classCode: 'PCPR', moodCode: 'EVN' },
    newTemplate('4.500.1', '2022-06-01'),
    code('code', { code: '92707-9', display: 'Patient care team information' }, loincSystem),
    status(its),
    interval('effectiveTime', team.period ?? {}),
    el(
      'performer',
      { typeCode: 'PRF' },
      role && concept('sdtc:functionCode', role),
      el('assignedEntity', {}, ids, assignedPerson(person)),
    ),
  )
}
