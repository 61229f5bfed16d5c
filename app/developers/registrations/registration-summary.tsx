import { Link } from '@remix-run/react'
import {
  fieldLabels,
  type RegistrationForm,
  toText,
} from '../../../server/contract/workflows/registration-form.ts'
import {
  fieldsOfStep,
  registrationStepNames,
  registrationSteps,
} from '../../../server/contract/workflows/registration-steps.ts'
import { Card } from '../../components/ui/card.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { pathOfStep } from './field-path.ts'

interface SummaryProps {
  form: RegistrationForm
  formPath: string
}

/** What will be submitted, step by step, with the way back to each. */
export function RegistrationSummary({ form, formPath }: SummaryProps) {
  return (
    <Card id="summary" title="Summary" aside={<Link to={formPath}>All fields on one page</Link>}>
      {registrationStepNames.map((step) => (
        <section className="pad stack tight" key={step} aria-label={registrationSteps[step].title}>
          <div className="row between">
            <h3>{registrationSteps[step].title}</h3>
            <Link to={pathOfStep(formPath, step)} aria-label={`Edit: ${registrationSteps[step].title}`}>
              Edit
            </Link>
          </div>
          <Facts
            className="facts wide breaks"
            of={Object.fromEntries(
              fieldsOfStep(step).map((field) => [
                fieldLabels[field],
                field === 'logo' ? form.logo && 'Uploaded' : toText(form[field]),
              ]),
            )}
          />
        </section>
      ))}
    </Card>
  )
}
