import {
  type AgreementState,
  agreementStateNames,
  executedStates,
} from '../../../server/contract/workflows/agreement-workflow.ts'
import { type AgreementKind, agreementKinds } from '../../../server/contract/workflows/agreements.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { Card, Moment } from '../../components/ui/page-parts.tsx'
import { LastDay } from '../../shared/agreements/signature-fields.tsx'

interface Standing {
  id: string
  version: number
  kind: AgreementKind
  state: AgreementState
  organization: string
  practice: string | null
  endsAt: Date | null
  idempotencyKey: string
}

interface StandingProps {
  standing: readonly Standing[]
  stepUp: string | null
}

/** Everything that operations may withdraw or end, each with its form folded away. */
export function StandingAgreements({ standing, stepUp }: StandingProps) {
  if (standing.length === 0) return null
  return (
    <Card id="standing" title="Open or in force">
      <ul className="stack pad">
        {standing.map((each) => (
          <li key={each.id} className="stack tight">
            <p>
              <strong>{agreementKinds[each.kind]}</strong>, {each.organization}
              {each.practice !== null && ` and ${each.practice}`}
              <span className="sub">
                {agreementStateNames[each.state]}
                {each.endsAt !== null && (
                  <>
                    , until <Moment at={each.endsAt} as="deadline" />
                  </>
                )}
              </span>
            </p>
            <EndByUs of={each} stepUp={stepUp} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function EndByUs({ of, stepUp }: { of: Standing; stepUp: string | null }) {
  const executed = executedStates.some((state) => state === of.state)
  const word = executed ? 'End agreement' : 'Withdraw agreement'
  const parties = of.practice === null ? of.organization : `${of.organization} and ${of.practice}`
  // The same two parties can have several.
  const label = `${word}: ${agreementKinds[of.kind]}, ${parties}, number ${of.id.slice(0, 8)}`
  return (
    <ActionForm
      intent={executed ? 'terminate' : 'withdraw'}
      row={{ name: 'agreement', id: of.id }}
      version={of.version}
      onceKey={of.idempotencyKey}
      folded={
        <>
          {word}
          <span className="sr">
            : {agreementKinds[of.kind]}, {parties}
          </span>
        </>
      }
      label={label}
      button={word}
      look="danger"
      stepUp={{ to: executed ? stepUp : null, label: 'Confirm your password first' }}
    >
      {executed && <p>Production keys that depend on this agreement stop when it ends.</p>}
      <TextArea
        name="comment"
        label="Reason"
        maxLength={2_000}
        hint="Both sides see this, and it stays in the history. At least 10 characters."
      />
      {executed && <LastDay />}
    </ActionForm>
  )
}
