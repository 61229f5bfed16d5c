import type { LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import {
  fieldsOfStep,
  type RegistrationStep,
  registrationStepNames,
  registrationSteps,
} from '../../../server/contract/workflows/registration-steps.ts'

/** The steps as the stepper shows them: how much each still lacks for production. */
export function stepsWithGaps(here: RegistrationStep, { findings }: Pick<LintReport, 'findings'>) {
  return registrationStepNames.map((name) => {
    const open = findings.filter(
      ({ field, severity }) => severity === 'error' && fieldsOfStep(name).includes(field),
    ).length
    return {
      name,
      title: registrationSteps[name].title,
      progress: name === here ? ('here' as const) : open === 0 ? ('done' as const) : ('ahead' as const),
      note: open === 0 ? 'Complete' : `${open} to add or fix`,
    }
  })
}
