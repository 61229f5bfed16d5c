/** The sections of the document; a row of the contract without one does not compile. */
import type { CcdaSectionKey } from '../contract/fhir/ccda-sections.ts'
import type { Section } from './section.ts'
import { allergies } from './sections/allergies.ts'
import { careTeams } from './sections/care-teams.ts'
import { encounters } from './sections/encounters.ts'
import { functionalStatus } from './sections/functional-status.ts'
import { goals } from './sections/goals.ts'
import { healthConcerns } from './sections/health-concerns.ts'
import { immunizations } from './sections/immunizations.ts'
import { medicalEquipment } from './sections/medical-equipment.ts'
import { medications } from './sections/medications.ts'
import { notes } from './sections/notes.ts'
import { payers } from './sections/payers.ts'
import { planOfTreatment } from './sections/plan-of-treatment.ts'
import { problems } from './sections/problems.ts'
import { procedures } from './sections/procedures.ts'
import { results } from './sections/results.ts'
import { socialHistory } from './sections/social-history.ts'
import { vitalSigns } from './sections/vital-signs.ts'

export const sections: Readonly<Record<CcdaSectionKey, Section>> = {
  allergies,
  medications,
  problems,
  results,
  socialHistory,
  vitalSigns,
  procedures,
  immunizations,
  encounters,
  planOfTreatment,
  goals,
  healthConcerns,
  careTeams,
  medicalEquipment,
  functionalStatus,
  payers,
  notes,
}
