/** Requests of patients for no further access, as the admins of a practice see them. */
import type { Actor } from '../actor.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import type { Core } from '../core.ts'
import { recordLook } from '../disclosures/record-look.ts'
import { readOwnPatient } from '../patients/read-own-patient.ts'
import { requirePracticeRole } from './practice-role.ts'

type OpenRequest = Readonly<{
  id: string
  patientId: string
  name: string | null
  birthDate: string | null
  askedBy: string
  createdAt: Date
}>

const shownMax = 50

/** Those that wait longest. Recorded as access. @throws Problem `not_found`, `forbidden` (admins only) */
export async function listOpen(
  core: Core,
  practiceId: string,
  actor: Actor,
): Promise<readonly OpenRequest[]> {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  const rows = await prisma.withholdRequest.findMany({
    where: { practiceId, decidedAt: null },
    include: { account: { select: { name: true } }, practice: { select: { datasetId: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: shownMax,
  })
  const requests = await Promise.all(
    rows.map(async ({ id, patientId, createdAt, account, practice }) => {
      const found = await readOwnPatient(core, practice.datasetId, patientId)
      const { name, birthDate } = found
        ? summarizePatient(found.content, null)
        : { name: null, birthDate: null }
      return { id, patientId, name, birthDate, askedBy: account.name, createdAt }
    }),
  )
  const shown = requests.flatMap(({ name, patientId }) => (name === null ? [] : [patientId]))
  if (shown.length > 0)
    await recordLook(core, practiceId, actor, { action: 'list_withheld_patients', patientIds: shown })
  return requests
}
