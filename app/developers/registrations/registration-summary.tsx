import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import {
  fieldLabels,
  type RegistrationField,
  type RegistrationForm,
  toText,
} from '../../../server/contract/workflows/registration-form.ts'
import {
  fieldsOfStep,
  registrationStepNames,
  registrationSteps,
} from '../../../server/contract/workflows/registration-steps.ts'
import type { ChoicesProps } from '../../components/ui/choice.tsx'
import { Card, Facts } from '../../components/ui/page-parts.tsx'
import { audienceOptions, clientTypeOptions } from './registration-fields.tsx'
import { pathOfStep } from './typed-report.ts'

interface SummaryProps {
  form: RegistrationForm
  formPath: string
}

/** What will be submitted, step by step, each with a link to edit it. */
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
              fieldsOfStep(step).map((field) => [fieldLabels[field], textOf(form, field)]),
            )}
          />
        </section>
      ))}
    </Card>
  )
}

const labelOf = (options: ChoicesProps['options'], value: string) =>
  options.find((option) => option.value === value)?.label ?? value

/** Empty fields are left out, because the list for production names them. */
function textOf(form: RegistrationForm, field: RegistrationField): ReactNode {
  const value = form[field]
  if (typeof value === 'boolean') return value && 'Confirmed'
  if (field === 'audience') return labelOf(audienceOptions, form.audience)
  if (field === 'clientType') return labelOf(clientTypeOptions, form.clientType)
  if (field === 'logo') return form.logo && 'Uploaded'
  return toText(value)
}
