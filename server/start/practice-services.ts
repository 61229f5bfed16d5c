/** Builds the services of practices: their policy, people, console and record of access. */
import { createFhirPolicy } from '../domain/practices/fhir-policy.ts'
import { createPracticeAdmin } from '../domain/practices/practice-admin.ts'
import { createPracticeAudit } from '../domain/practices/practice-audit.ts'
import { createPracticeConsole } from '../domain/practices/practice-console.ts'
import { createPracticeStaff } from '../domain/practices/practice-staff.ts'

type Dependencies = Parameters<typeof createPracticeStaff>[0] &
  Parameters<typeof createPracticeAdmin>[0] &
  Parameters<typeof createPracticeConsole>[0] &
  Parameters<typeof createPracticeAudit>[0] &
  Parameters<typeof createFhirPolicy>[0]

export function createPracticeServices(dependencies: Dependencies) {
  return {
    fhirPolicy: createFhirPolicy(dependencies),
    practiceAdmin: createPracticeAdmin(dependencies),
    practiceStaff: createPracticeStaff(dependencies),
    practiceConsole: createPracticeConsole(dependencies),
    practiceAudit: createPracticeAudit(dependencies),
  }
}
