import type { SubmissionResult } from '@conform-to/react'
import { Form, Link, useLocation } from '@remix-run/react'
import { factorResetForm } from '../../../server/contract/forms/mfa.ts'
import { LinkButton, SubmitButton } from '../../components/ui/button.tsx'
import { TextArea } from '../../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../../components/ui/form.tsx'
import { KeepInput } from '../../components/ui/keep-input.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'

interface ResetMfaProps {
  person: { name: string; email: string; setUp: boolean }
  /** The page that asks for a fresh proof first; null when it was given. */
  stepUp: string | null
  lastResult: SubmissionResult<string[]> | null | undefined
  back: string
}

/** Takes somebody's app and recovery codes away, with a reason. */
export function ResetMfa({ person, stepUp, lastResult, back }: ResetMfaProps) {
  return (
    <>
      <PageHeader title={`Reset the second step of ${person.name}`}>
        <span className="breaks">{person.email}</span> <Link to={back}>Back to the list</Link>
      </PageHeader>
      {!person.setUp ? (
        <p className="card pad">There is no second step to reset.</p>
      ) : stepUp ? (
        <div className="card pad stack">
          <p>This takes a lock off somebody’s account, so it asks for fresh proof of who you are.</p>
          <div>
            <LinkButton look="primary" to={stepUp}>
              Confirm that it is you
            </LinkButton>
          </div>
        </div>
      ) : (
        <ResetForm lastResult={lastResult} />
      )}
    </>
  )
}

function ResetForm({ lastResult }: Pick<ResetMfaProps, 'lastResult'>) {
  const { pathname } = useLocation()
  const [form, fields] = useContractForm({ schema: factorResetForm, lastResult })
  return (
    <Form method="post" {...formProps(form)} className="card pad stack gap-6">
      <KeepInput name={`second step ${pathname}`} refused={lastResult?.status === 'error'} />
      <p>
        The app and all recovery codes are worth nothing from then on, every session ends, and a mail says who
        did it and why. Until a new app is set up the password alone signs in: talk to the person first.
      </p>
      <ErrorSummary form={form} fields={fields} labels={{ reason: 'Reason' }} />
      <TextArea
        meta={fields.reason}
        label="Reason"
        hint="How you made sure who asks. Kept in the audit log; the person reads it."
        rows={3}
      />
      <div>
        <SubmitButton look="danger" busy="Resetting">
          Reset the second step
        </SubmitButton>
      </div>
    </Form>
  )
}
