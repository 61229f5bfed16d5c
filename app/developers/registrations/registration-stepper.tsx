import { Check } from 'lucide-react'
import type { LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import {
  fieldsOfStep,
  type RegistrationStep,
  registrationStepNames,
  registrationSteps,
} from '../../../server/contract/workflows/registration-steps.ts'

interface StepperProps {
  step: RegistrationStep
  report: Pick<LintReport, 'findings'>
  /** Of the form that a step's button saves. */
  formId: string
}

/** Where somebody is in the form. Going to another step saves this one, also without a script. */
export function RegistrationStepper({ step, report, formId }: StepperProps) {
  return (
    <nav className="card pad" aria-label="Steps">
      {/* Enter in a field presses the form's first button: it goes on. */}
      <button type="submit" form={formId} hidden />
      <ol className="stepper">
        {registrationStepNames.map((each, place) => {
          const open = report.findings.filter(
            ({ field, severity }) => severity === 'error' && fieldsOfStep(each).includes(field),
          ).length
          return (
            <li
              key={each}
              className={each === step ? 'here' : open === 0 ? 'done' : ''}
              aria-current={each === step ? 'step' : undefined}
            >
              <span className="dot" aria-hidden="true">
                {open === 0 && each !== step ? <Check className="i" /> : place + 1}
              </span>
              <div>
                <button type="submit" form={formId} name="next" value={each}>
                  {registrationSteps[each].title}
                </button>
                <p className="small muted">{open === 0 ? 'Complete' : `${open} to add or fix`}</p>
              </div>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
