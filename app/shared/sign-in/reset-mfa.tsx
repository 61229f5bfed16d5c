import { Link, useLocation } from '@remix-run/react'
import { ContractForm, TextArea } from '../../components/ui/form.tsx'
import { Card, PageHeader } from '../../components/ui/page-parts.tsx'
import { ConfirmButton } from './confirm-first.tsx'

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
      <PageHeader title={`Reset the two-step sign-in of ${person.name}`}>
        <span className="breaks">{person.email}</span> <Link to={back}>Back to the list</Link>
      </PageHeader>
      {!person.setUp ? (
        <p className="card pad">This person has no two-step sign-in to reset.</p>
      ) : stepUp ? (
        <Card padded>
          <p>Resetting makes an account less secure, so confirm your own password first.</p>
          <ConfirmButton to={stepUp} />
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
      labels={{ reason: 'Reason' }}
      keepAs={`second step ${pathname}`}
      button="Reset two-step sign-in"
      busy="Resetting"
      look="danger"
    >
      <p>
        The authenticator app and all recovery codes stop working, every session ends, and the person gets an
        email with your name and reason. Until they set up a new app, the password alone signs in. Talk to
        them first.
      </p>
      <TextArea
        name="reason"
        hint="How you verified the person’s identity. The audit log stores it, and the person reads it."
        rows={3}
      />
    </ContractForm>
  )
}
