/** Who a token of the portal can be for: the standing people of the organization's own sandbox. */
import { Problem } from '../../contract/http/problems.ts'
import { sandboxSignIns, signInAddress } from '../../contract/lab/sandbox-sign-ins.ts'
import type { Core } from '../../domain/core.ts'
import type { SmartPractice } from '../../domain/practices/fhir-access.ts'
import { ensureStandingPeople } from '../../domain/practices/standing-people.ts'
import { checkPatient } from '../launches/people.ts'

export type AppPerson = Readonly<{
  audience: 'patient' | 'clinician'
  accountId: string
  name: string
  patientId: string | null
  /** Relative reference. */
  fhirUser: string
}>

/** @throws Problem `validation` of the fields `person` and `patient` */
export async function findAppPerson(
  core: Core,
  audience: AppPerson['audience'],
  practice: SmartPractice,
  { person, patient }: Readonly<{ person: string | null; patient: string | null }>,
): Promise<AppPerson> {
  const found = describePerson(audience, person, patient)
  if (found === null) throw nobody()
  if (found.patientId !== null) await checkPatient(core, practice, found.patientId)
  await ensureStandingPeople(core, practice)
  const account = await core.prisma.account.findFirst({
    where: {
      sandboxPracticeId: practice.id,
      realm: audience === 'patient' ? 'patient' : 'practice',
      email: signInAddress(found.localPart, practice.slug),
      disabledAt: null,
    },
    select: { id: true },
  })
  if (account === null) throw nobody()
  const { localPart: _, ...facts } = found
  return { ...facts, audience, accountId: account.id }
}

/** Null for anybody whom the table does not have in this part, or who may not act for the patient. */
function describePerson(audience: AppPerson['audience'], localPart: string | null, patient: string | null) {
  const signIn = sandboxSignIns.find((each) => each.localPart === localPart)
  if (signIn === undefined) return null
  const { name } = signIn
  if (signIn.realm === 'practice') {
    const { practitionerId, role } = signIn
    if (audience !== 'clinician' || role !== 'clinician' || !practitionerId) return null
    return {
      localPart: signIn.localPart,
      name,
      patientId: patient,
      fhirUser: `Practitioner/${practitionerId}`,
    }
  }
  const acts = signIn.actsFor.find(({ patientId }) => patientId === patient)
  if (audience !== 'patient' || acts === undefined) return null
  const { patientId, relationship, relatedPersonId } = acts
  const fhirUser =
    relationship === 'self' || !relatedPersonId ? `Patient/${patientId}` : `RelatedPerson/${relatedPersonId}`
  return { localPart: signIn.localPart, name, patientId, fhirUser }
}

function nobody(): Problem {
  return new Problem('validation', {
    field: 'person',
    message: 'Choose a person who can sign in to your own sandbox.',
  })
}
