import { Form } from '@remix-run/react'
import { useId } from 'react'
import {
  type AgreementState,
  agreementStateNames,
  executedStates,
} from '../../../server/contract/agreement-workflow.ts'
import { type AgreementKind, agreementKinds } from '../../../server/contract/agreements.ts'
import { LinkButton, SubmitButton } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { TextWarning, useTextWarning } from '../ui/text-warning.tsx'
import { TextField } from './agreement-acts.tsx'

interface Standing {
  id: string
  version: number
  kind: AgreementKind
  state: AgreementState
  organization: string
  practice: string | null
  endsAt: Date | string | null
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
    <section className="card" aria-labelledby="standing">
      <div className="head">
        <h2 id="standing">Open or in force</h2>
      </div>
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
    </section>
  )
}

function EndByUs({ of, stepUp }: { of: Standing; stepUp: string | null }) {
  const id = useId()
  const warning = useTextWarning({ field: 'comment', about: of.id })
  const executed = executedStates.some((state) => state === of.state)
  const word = executed ? 'End it' : 'Withdraw it'
  return (
    <details open={warning !== null}>
      <summary className="btn danger">{word}</summary>
      <Form method="post" className="stack mt-3 read">
        <input type="hidden" name="intent" value={executed ? 'terminate' : 'withdraw'} />
        <input type="hidden" name="agreement" value={of.id} />
        <input type="hidden" name="version" value={of.version} />
        <input type="hidden" name="idempotencyKey" value={of.idempotencyKey} />
        {executed && <p>Production keys that need this document stop the moment it ends.</p>}
        <div className="field">
          <label htmlFor={id}>Why</label>
          <textarea className="input" id={id} name="comment" rows={3} maxLength={2_000} />
          <p className="hint">Both sides read it, and the history keeps it. At least 10 characters.</p>
          <TextWarning field="comment" about={of.id} />
        </div>
        {executed && (
          <TextField
            name="effectiveOn"
            label="Last day (empty: at once)"
            type="date"
            value={undefined}
            answer={undefined}
          />
        )}
        <div>
          {stepUp && executed ? (
            <LinkButton to={stepUp}>Confirm that it is you first</LinkButton>
          ) : (
            <SubmitButton look="danger" className="filled" busy="Sending">
              {word}
            </SubmitButton>
          )}
        </div>
      </Form>
    </details>
  )
}
