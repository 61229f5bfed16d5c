/** A page of facts for every cast member, from the code that makes them: what documentation and tests quote. */
import { castPlans, shortChartObservations } from './cast/plans.ts'
import { castPeople, castPurposes } from './cast.ts'
import { demoPeople } from './demo-people.ts'
import { patientFile } from './patient-record.ts'
import { getPractice } from './practices.ts'
import { createRandomness } from './randomness.ts'

interface CastFacts {
  readonly id: string
  readonly name: string
  readonly medicalRecordNumber: string
  readonly birthDate: string
  /** What they are there for. */
  readonly purpose: string
  /** Mail addresses of demonstration accounts that may act for them. */
  readonly logins: readonly string[]
  /** Resources of each type in every practice that holds the cast, the long chart at its short length. */
  readonly counts: Readonly<Record<string, number>>
}

export function castFacts({ seed, asOf }: { readonly seed: number; readonly asOf: string }): CastFacts[] {
  const practice = getPractice('sandbox-template')
  const plans = castPlans(shortChartObservations)
  const randomness = createRandomness(seed)
  return castPeople(asOf).map((person) => {
    const plan = plans[person.id]
    const { resources } = patientFile({ practice, person, asOf, randomness, ...(plan ? { plan } : {}) })
    const counts: Record<string, number> = {}
    for (const { resourceType } of resources) counts[resourceType] = (counts[resourceType] ?? 0) + 1
    const [name] = person.names
    return {
      id: person.id,
      name: [...(name?.given ?? []), name?.family, ...(name?.suffix ?? [])].join(' '),
      medicalRecordNumber: person.mrn,
      birthDate: person.birthDate,
      purpose: castPurposes[person.id] ?? '',
      logins: demoPeople
        .filter((account) => account.patients?.some((each) => each.patientId === person.id))
        .map((account) => account.email),
      counts,
    }
  })
}
