import { agreementStateNames, executedStates } from '../../../server/contract/workflows/agreement-workflow.ts'
import { agreementKinds } from '../../../server/contract/workflows/agreements.ts'
import type { ListedAgreement } from '../../../server/domain/agreements/agreement-types.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { Card, Moment } from '../../components/ui/page-parts.tsx'
import { LastDay } from '../../shared/agreements/signature-fields.tsx'

interface StandingProps {
  standing: readonly ListedAgreement[]
  onceKey: string
  stepUp: string | null
}

/** Everything that operations may withdraw or end, each with its form folded away. */
export function StandingAgreements({ standing, ...shared }: StandingProps) {
  if (standing.length === 0) return null
  return (
    <Card id="standing" title="Open or in force">
      <ul className="stack pad">
        {standing.map((each) => (
          <li key={each.id} className="stack tight">
            <p>
              <strong>{agreementKinds[each.kind]}</strong>, {partiesOf(each)}
              <span className="sub">
                {agreementStateNames[each.state]}
                {each.endsAt !== null && (
                  <>
                    , until <Moment at={each.endsAt} as="deadline" />
                  </>
                )}
              </span>
            </p>
            <EndByUs of={each} {...shared} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const partiesOf = ({ organization, practice }: ListedAgreement) =>
  practice === null ? organization.name : `${organization.name} and ${practice.name}`

function EndByUs({ of, onceKey, stepUp }: Omit<StandingProps, 'standing'> & { of: ListedAgreement }) {
  const executed = executedStates.some((state) => state === of.state)
  const word = executed ? 'End agreement' : 'Withdraw agreement'
  const parties = partiesOf(of)
  // The same two parties can have several.
  const label = `${word}: ${agreementKinds[of.kind]}, ${parties}, number ${of.id.slice(0, 8)}`
  return (
    <ActionForm
      intent={executed ? 'terminate' : 'withdraw'}
      row={{ name: 'agreement', id: of.id }}
      version={of.version}
      onceKey={`${onceKey}-${of.id.slice(-6)}`}
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
