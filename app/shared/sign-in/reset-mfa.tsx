import { Link, useLocation } from '@remix-run/react'
import { factorResetForm } from '../../../server/contract/forms/mfa.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { TextArea } from '../../components/ui/field.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'

interface ResetMfaProps {
  person: { name: string; email: string; setUp: boolean }
  /** The page that asks for a fresh proof first; null when it was given. */
  stepUp: string | null
  back: string
}

/** Removes a person's app and recovery codes, with a reason. */
export function ResetMfa({ person, stepUp, back }: ResetMfaProps) {
  return (
    <>
      <PageHeader title={`Reset the second step of ${person.name}`}>
        <span className="breaks">{person.email}</span> <Link to={back}>Back to the list</Link>
      </PageHeader>
      {!person.setUp ? (
        <p className="card pad">There is no second step to reset.</p>
      ) : stepUp ? (
        <Card padded>
          <p>This takes a lock off somebody’s account, so it asks for fresh proof of who you are.</p>
          <div>
            <LinkButton look="primary" to={stepUp}>
              Confirm that it is you
            </LinkButton>
          </div>
        </Card>
      ) : (
        <ResetForm />
      )}
    </>
  )
}

function ResetForm() {
  const { pathname } = useLocation()
  return (
    <ContractForm
      schema={factorResetForm}
      labels={{ reason: 'Reason' }}
      keepAs={`second step ${pathname}`}
      button="Reset the second step"
      busy="Resetting"
      look="danger"
    >
      <p>
        The app and all recovery codes are worth nothing from then on, every session ends, and a mail says who
        did it and why. Until a new app is set up the password alone signs in: talk to the person first.
      </p>
      <TextArea
        name="reason"
        hint="How you made sure who asks. Kept in the audit log; the person reads it."
        rows={3}
      />
    </ContractForm>
  )
}
