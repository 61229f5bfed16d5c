/** The people of an organization's sandbox: found by the list of the REST operation, each with a chart. */
import { patientsOf } from '../../audit/call-rows.ts'
import type { InputOf, OutputOf } from '../../contract/rest/operations.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { listPatients } from '../../domain/patients/patients.ts'
import { toPatient } from '../../search/patient-record.ts'
import { type ChartReadings, type ChartView, chartSearches, toChartView } from './chart-view.ts'
import * as reads from './sandbox-reads.ts'

/** Who may sign in and act for the person at this practice. */
type PersonLogin = Readonly<{ name: string; email: string; relationship: string; realm: string }>

/** @throws Problem as `SandboxReads.getSandbox` */
export async function list(
  core: Core,
  organizationId: string,
  query: InputOf<'listPatients'>['query'],
  actor: Actor,
): Promise<OutputOf<'listPatients'>> {
  const sandbox = await reads.getSandbox(core, organizationId, actor)
  const listed = await listPatients((plan) => reads.list(core, sandbox, plan), query)
  const { data } = listed
  await reads.record(core, sandbox, actor, {
    action: 'search',
    resourceType: 'Patient',
    ...patientsOf(data),
    count: data.length,
  })
  return listed
}

/** @throws Problem `not_found` without such a patient in this sandbox, and as `list` */
export async function chart(
  core: Core,
  context: { organizationId: string; patientId: string },
  actor: Actor,
): Promise<ChartView & { logins: readonly PersonLogin[]; practice: string }> {
  const { organizationId, patientId } = context
  const sandbox = await reads.getSandbox(core, organizationId, actor)
  const patient = await reads.getPatient(core, sandbox, patientId)
  const found = await Promise.all(
    Object.entries(chartSearches).map(async ([name, { type, parameters }]) => [
      name,
      await reads.search(core, sandbox, type, patientId, parameters),
    ]),
  )
  const readings = Object.fromEntries(found) as ChartReadings
  const count = Object.values(readings).reduce((sum, { matches }) => sum + matches.length, 1)
  const logins = await listLogins(core, sandbox.id, patientId)
  await reads.record(core, sandbox, actor, {
    action: 'view_chart',
    resourceType: 'Patient',
    patientId,
    count,
  })
  return {
    ...toChartView(toPatient(patient), readings),
    logins,
    practice: sandbox.slug,
  }
}

async function listLogins({ prisma }: Core, practiceId: string, patientId: string): Promise<PersonLogin[]> {
  const rows = await prisma.patientLogin.findMany({
    where: { practiceId, patientId, account: { disabledAt: null } },
    select: { relationship: true, account: { select: { name: true, email: true, realm: true } } },
    orderBy: [{ account: { email: 'asc' } }],
  })
  return rows.map(({ relationship, account }) => ({ relationship, ...account }))
}
