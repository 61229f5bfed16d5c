import { Link } from '@remix-run/react'
import type { LintFinding, LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import { fieldLabels, type RegistrationField } from '../../../server/contract/workflows/registration-form.ts'
import {
  fieldsOfStep,
  type RegistrationStep,
  registrationStepNames,
  registrationSteps,
} from '../../../server/contract/workflows/registration-steps.ts'
import { CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Banner, Card } from '../../components/ui/page-parts.tsx'
import type { WrongForm } from './registration.server.ts'
import { hrefOfField } from './typed-report.ts'

/** Says beside the form whether the sandbox client can be registered with it. */
export function SandboxState({
  findings,
  formPath = '',
}: {
  findings: readonly LintFinding[]
  formPath?: string
}) {
  const stops = findings.filter(({ stage }) => stage === 'sandbox')
  return (
    <Card id="sandbox-state" title="Sandbox">
      <ul className="list pad">
        {stops.length === 0 && (
          <li className="finding ok">
            <CircleCheck className="i" />
            <p>The sandbox client works with this form.</p>
          </li>
        )}
        {stops.map(({ rule, field, reason, fix }) => (
          <li className="finding bad" key={`${rule} ${reason}`}>
            <TriangleAlert className="i" />
            <div>
              <p>
                <a href={hrefOfField(formPath, field)}>{reason}</a>
              </p>
              <p className="small muted">{fix}</p>
            </div>
          </li>
        ))}
      </ul>
      {stops.length > 0 && (
        <footer className="small muted">
          Until you fix this, the sandbox client stays unchanged, and you can’t submit for production.
        </footer>
      )}
    </Card>
  )
}

/** Says what to change in a draft that can't be registered as it is, and what works meanwhile. */
export function SandboxFaults({
  findings,
  form,
  works,
}: {
  findings: readonly { field: string; reason: string }[]
  form: string
  /** An earlier version is registered. */
  works: boolean
}) {
  if (findings.length === 0) return null
  return (
    <Banner
      tone="turn"
      title={works ? 'Your sandbox client still uses an earlier version.' : 'Not in your sandbox yet.'}
    >
      {findings.map(({ field, reason }) => (
        <Link key={reason} className="block" to={`${form}#${field}`}>
          {reason}
        </Link>
      ))}
    </Banner>
  )
}

/** Lists the errors of a refused form, with links to the fields, and what another person changed meanwhile. */
export function RegistrationFaults({ wrong }: { wrong: WrongForm | null }) {
  if (!wrong) return null
  const { form: formFault, ...faults } = wrong.faults
  const entries = Object.entries(faults) as [RegistrationField, string][]
  return (
    <section className="banner bad" role="alert">
      <TriangleAlert className="i" />
      <div>
        {entries.length > 0 && (
          <p>
            <strong>
              {entries.length === 1
                ? 'Fix 1 field to continue.'
                : `Fix ${entries.length} fields to continue.`}
            </strong>{' '}
            Nothing was saved.
          </p>
        )}
        {formFault && (
          <p>
            <strong>{formFault}</strong>
          </p>
        )}
        {entries.map(([name, fault]) => (
          <p key={name}>
            <a href={`#${name}`}>
              {fieldLabels[name]}: {fault}
            </a>
          </p>
        ))}
        {wrong.stale.map(({ field, label, before, after }) => (
          <p key={field}>
            <a href={`#${field}`}>{label}</a>: saved value “{before.slice(0, 200) || 'nothing'}”, your value “
            {after.slice(0, 200) || 'nothing'}”.
          </p>
        ))}
      </div>
    </section>
  )
}

/** The stepper's steps, each with the number of fields that production still needs. */
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
