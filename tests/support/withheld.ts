/** One server on one database, asked through every interface, and the admin who withholds a patient from them. */
import { type FhirStack, fhirStack } from './fhir.ts'
import { type RestStack, restStack } from './rest.ts'
import { type TestServices, type TestServicesOptions, testServices } from './services.ts'
import { smartSupport } from './smart.ts'

const withheldReason = 'The patient asked for it at the desk.'

export async function withheldStack(options: TestServicesOptions & { services?: TestServices } = {}) {
  const services = options.services ?? (await testServices(options))
  const rest: RestStack = await restStack({ services })
  const fhir: FhirStack = await fhirStack({ services })
  const smart = smartSupport(services)
  const { id: practiceId } = await services.prisma.practice.findUniqueOrThrow({
    where: { slug: 'sandpiper-demonstration' },
  })

  /** @returns ends it */
  async function withhold(patientId: string, practice = practiceId): Promise<() => Promise<void>> {
    const admin = await smart.createAdmin(practice)
    const fresh = () => ({ ...admin, authenticatedAt: services.clock(), mfa: services.clock() })
    const withheldId = await services.withheldPatients.withhold(
      { practiceId: practice, patientId, reason: withheldReason },
      fresh(),
    )
    return () => services.withheldPatients.release({ practiceId: practice, withheldId }, fresh())
  }

  return { services, rest, fhir, smart, practiceId, withhold }
}
