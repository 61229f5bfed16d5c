import { Form } from '@remix-run/react'
import { type ReactNode, useId } from 'react'
import {
  agreementTimes,
  type ReturnOutcome,
  returnOutcomes,
  signatureStatements,
} from '../../../server/contract/agreements.ts'
import { paths } from '../../../server/contract/paths.ts'
import type { AgreementAnswer } from '../../agreement.server.ts'
import { Banner } from '../ui/banner.tsx'
import { LinkButton, SubmitButton } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { TextWarning } from '../ui/text-warning.tsx'
import type { AgreementData } from './agreement-view.tsx'

export interface ActProps {
  of: AgreementData
  answer: AgreementAnswer | undefined
}

/** What the reader can do now: sign first, everything else folded away. */
export function AgreementActs({ of, answer }: ActProps) {
  const { kind: role, side } = of.you
  const open = of.executedAt === null && of.endedAt === null
  const mayChange = ['admin', 'owner', 'practice_admin', 'practice_signatory'].includes(role)
  const mayEnd = ['owner', 'practice_admin', 'practice_signatory'].includes(role)
  const inForce = of.state === 'executed' || of.state === 'amended'
  const signer = of.signatories.find((each) => each.side === side)
  const waits = side !== null && of.waitsFor.includes(side) && !of.rejected && of.state !== 'stalled'
  return (
    <>
      {waits && signer?.isYou && (
        <SignForm of={of} answer={answer} legalName={signer.legalName} title={signer.title} />
      )}
      {waits && signer && !signer.isYou && (
        <Banner tone="wait" who="Waits." title={`${signer.legalName} signs for your side.`}>
          The signature comes from {signer.maskedEmail}. Somebody signed in with that account can sign.
        </Banner>
      )}
      {of.rejected && open && (
        <Banner tone="turn" title="This version was rejected. Nobody can sign it.">
          Propose a change, or withdraw it.
        </Banner>
      )}
      {of.state === 'stalled' && mayChange && (
        <StepForm
          of={of}
          intent="resume"
          lead="Nobody moved it for 30 days. Signatures that are there still count."
        >
          Take it up again
        </StepForm>
      )}
      {open && mayChange && of.kind === 'baa' && of.state !== 'stalled' && (
        <div className="stack">
          <p>
            <LinkButton to={`${of.self}/change`}>Propose a change</LinkButton>
          </p>
          <Reasoned
            of={of}
            answer={answer}
            intent="reject"
            word="Reject this version"
            label="Why, for the other side"
          />
        </div>
      )}
      {open && mayChange && (
        <Reasoned of={of} answer={answer} intent="withdraw" word="Withdraw the document" label="Why" />
      )}
      {of.state === 'executed' && mayChange && isNearEnd(of) && (
        <StepForm of={of} intent="renew" lead="The same document for a new term. Both sides sign again.">
          Renew it
        </StepForm>
      )}
      {of.state === 'executed' && mayChange && of.kind === 'baa' && (
        <p>
          <LinkButton to={`${of.self}/change`}>Propose an amendment</LinkButton>
        </p>
      )}
      {inForce && mayEnd && <EndForm of={of} answer={answer} />}
      {of.task && of.task.attestedAt === null && ['admin', 'owner'].includes(role) && (
        <AttestForm of={of} answer={answer} />
      )}
    </>
  )
}

function isNearEnd({ endsAt, now }: AgreementData): boolean {
  if (endsAt === null) return false
  const left = new Date(endsAt).getTime() - new Date(now).getTime()
  return left <= agreementTimes.renewalWindowDays * 86_400_000
}

export function Handle({ of, intent }: { of: AgreementData; intent: string }) {
  return (
    <>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="version" value={of.version} />
      <input type="hidden" name="idempotencyKey" value={of.idempotencyKey} />
    </>
  )
}

export const keptBy = (answer: AgreementAnswer | undefined, intent: string) =>
  answer?.intent === intent ? answer.values : undefined

function SignForm({ of, answer, legalName, title }: ActProps & { legalName: string; title: string }) {
  const kept = keptBy(answer, 'sign')
  return (
    <section className="card" aria-labelledby="sign">
      <div className="head">
        <h2 id="sign">Sign it</h2>
      </div>
      {of.stepUp ? (
        <div className="pad stack">
          <p>
            You have read the document. To sign, prove once more that it is you; it counts for ten minutes.
          </p>
          <div>
            <LinkButton to={of.stepUp} look="primary">
              Confirm that it is you, to sign
            </LinkButton>
          </div>
        </div>
      ) : (
        <Form method="post" className="pad stack gap-6">
          <Handle of={of} intent="sign" />
          <input type="hidden" name="number" value={of.offered.number} />
          <input type="hidden" name="sha256" value={of.offered.sha256} />
          <p>
            You sign exactly the bytes named by <code className="breaks">{of.offered.sha256}</code>. We keep
            your name, the time, your network address, your browser, and when you last gave your password.
          </p>
          <TextField
            name="legalName"
            label={`Your legal name, as in the document: ${legalName}`}
            value={kept?.legalName}
            answer={answer}
          />
          <TextField name="title" label="Your title" value={kept?.title ?? title} answer={answer} />
          <Tick name="authority" kept={kept}>
            {signatureStatements.authority}
          </Tick>
          <Tick name="consent" kept={kept}>
            {signatureStatements.consent}
          </Tick>
          {of.policy && (
            <p>
              With your signature you accept the{' '}
              <a href={paths.legalTemplate('usage-policy')}>usage policy, version {of.policy.version}</a>,
              SHA-256 <code className="breaks">{of.policy.sha256}</code>.
            </p>
          )}
          <div>
            <SubmitButton busy="Signing">Sign the document</SubmitButton>
          </div>
        </Form>
      )}
    </section>
  )
}

interface FieldProps {
  name: string
  label: string
  value: string | undefined
  answer: AgreementAnswer | undefined
  type?: 'text' | 'date'
  hint?: string
}

export function TextField({ name, label, value, answer, type = 'text', hint }: FieldProps) {
  const id = useId()
  const bad = answer?.field === name
  return (
    <div className={bad ? 'field bad' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        name={name}
        type={type}
        defaultValue={value}
        maxLength={120}
        autoComplete="off"
        aria-invalid={bad || undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export function Tick({
  name,
  kept,
  children,
}: {
  name: string
  kept: Record<string, string> | undefined
  children: ReactNode
}) {
  return (
    <label className="check">
      <input type="checkbox" name={name} defaultChecked={kept?.[name] === 'on'} />
      <span>{children}</span>
    </label>
  )
}

function Words({
  name,
  label,
  kept,
  hint,
  intent,
}: {
  name: string
  label: string
  kept: Record<string, string> | undefined
  hint?: string
  intent: string
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        className="input"
        id={id}
        name={name}
        rows={3}
        maxLength={2_000}
        defaultValue={kept?.[name]}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <TextWarning field={name} intent={intent} />
    </div>
  )
}

function Reasoned({
  of,
  answer,
  intent,
  word,
  label,
}: ActProps & { intent: string; word: string; label: string }) {
  const kept = keptBy(answer, intent)
  return (
    <details open={kept !== undefined}>
      <summary className="btn danger">{word}</summary>
      <Form method="post" className="stack mt-3 read">
        <Handle of={of} intent={intent} />
        <Words
          name="comment"
          label={label}
          kept={kept}
          intent={intent}
          hint="Both sides read it, and the history keeps it."
        />
        <div>
          <SubmitButton look="danger" className="filled" busy="Sending">
            {word}
          </SubmitButton>
        </div>
      </Form>
    </details>
  )
}

function StepForm({
  of,
  intent,
  lead,
  children,
}: {
  of: AgreementData
  intent: string
  lead: string
  children: string
}) {
  return (
    <Form method="post" className="card pad stack">
      <Handle of={of} intent={intent} />
      <p>{lead}</p>
      <div>
        <SubmitButton busy="Sending">{children}</SubmitButton>
      </div>
    </Form>
  )
}

function EndForm({ of, answer }: ActProps) {
  const kept = keptBy(answer, 'terminate')
  return (
    <details open={kept !== undefined}>
      <summary className="btn danger">End it</summary>
      <Form method="post" className="stack mt-3 read">
        <Handle of={of} intent="terminate" />
        <p>
          Production keys that need this document stop the moment it ends.
          {of.kind === 'baa' &&
            ` The developer then has ${agreementTimes.returnOrDestroyDays} days to return or destroy the data.`}
        </p>
        <Words
          name="comment"
          label="Why it ends"
          kept={kept}
          intent="terminate"
          hint="Both sides read it, and the history keeps it."
        />
        <TextField
          name="effectiveOn"
          label="Last day (empty: at once)"
          type="date"
          value={kept?.effectiveOn}
          answer={answer}
          hint="With a later day it is a notice: all goes on until the end of that day."
        />
        <div>
          {of.stepUp ? (
            <LinkButton to={of.stepUp}>Confirm that it is you first</LinkButton>
          ) : (
            <SubmitButton look="danger" className="filled" busy="Ending">
              End the document
            </SubmitButton>
          )}
        </div>
      </Form>
    </details>
  )
}

function AttestForm({ of, answer }: ActProps) {
  const kept = keptBy(answer, 'attest')
  return (
    <section className="card" aria-labelledby="attest">
      <div className="head">
        <h2 id="attest">Return or destroy the data</h2>
      </div>
      <Form method="post" className="pad stack gap-6">
        <Handle of={of} intent="attest" />
        <p>
          The agreement asks you to return or destroy what you have of the practice’s data by{' '}
          <Moment at={of.task?.dueAt ?? of.now} as="deadline" />, and to say here what was done.
        </p>
        <fieldset className="choices">
          <legend>What was done</legend>
          {(Object.keys(returnOutcomes) as ReturnOutcome[]).map((each) => (
            <label className="check" key={each}>
              <input type="radio" name="outcome" value={each} defaultChecked={kept?.outcome === each} />
              <span>{returnOutcomes[each]}</span>
            </label>
          ))}
        </fieldset>
        <Words
          name="statement"
          label="How, and when"
          kept={kept}
          intent="attest"
          hint="Copies, backups, subcontractors. No names of patients."
        />
        <TextField name="legalName" label="Your legal name" value={kept?.legalName} answer={answer} />
        <TextField name="title" label="Your title" value={kept?.title} answer={answer} />
        <div>
          {of.stepUp ? (
            <LinkButton to={of.stepUp} look="primary">
              Confirm that it is you, to attest it
            </LinkButton>
          ) : (
            <SubmitButton busy="Sending">Attest it</SubmitButton>
          )}
        </div>
      </Form>
    </section>
  )
}
