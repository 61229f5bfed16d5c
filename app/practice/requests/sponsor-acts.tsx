import { useState } from 'react'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { type Step, StepForms } from '../../components/ui/action-form.tsx'
import { Field, Select } from '../../components/ui/form.tsx'
import { useHydrated } from '../../components/ui/hydrated.ts'
import { LockedCard } from '../../shared/sign-in/confirm-first.tsx'

interface SponsorActsProps {
  view: ProductionKeyView
  onceKey: string
  /** The page that confirms the password first; null if that isn't needed now. */
  stepUp: string | null
  /** The signed-in person. */
  you: { name: string; email: string }
}

const binding = ['confirm', 'reconfirm', 're_sponsor', 'suspend', 'reinstate', 'revoke', 'end_sponsorship']

/** The steps that the workflow allows now: likely ones first, and those that end the key folded. */
export function SponsorActs({ view, onceKey, stepUp, you }: SponsorActsProps) {
  const binds = view.allowed.some((event) => binding.includes(event))
  return (
    <div id="stop" className="stack">
      {binds && stepUp && (
        <LockedCard to={stepUp} title="Confirm your password first">
          Decisions that bind the practice need your password and authenticator code from the last ten
          minutes.
        </LockedCard>
      )}
      <StepForms
        view={view}
        onceKey={onceKey}
        steps={stepsOf(view, { unproven: stepUp !== null, binds, you })}
      />
    </div>
  )
}

/** Steps that bind the practice need a fresh proof, the others don't. */
function stepsOf(
  view: ProductionKeyView,
  { unproven, binds, you }: { unproven: boolean; binds: boolean; you: SponsorActsProps['you'] },
): Record<string, Step | false> {
  const isStopped = view.suspensions.some(({ cause, endedAt }) => cause === 'practice' && endedAt === null)
  const isSponsor = view.sponsor?.me === true && view.sponsor.endedAt === null
  return {
    confirm: !unproven && {
      title: 'Confirm, and name who signs for the practice',
      button: 'Confirm request',
      look: 'primary',
      text: 'This gives no access yet. Next, both sides sign a business associate agreement (BAA), and Sandpiper reviews the request.',
      children: <PartiesOfBaa view={view} you={you} />,
    },
    reconfirm: !unproven && {
      title: 'Confirm the renewal',
      button: 'Renew key',
      look: 'primary',
      text: 'The access and the agreed data and purposes stay the same. We check the agreements again.',
    },
    suspend: !unproven &&
      !isStopped && {
        title: 'Stop the key',
        button: 'Stop key',
        look: 'danger',
        text: 'The key stops at its next request. You can resume it at any time.',
        reason: 'Reason for the developer',
      },
    reinstate: !unproven &&
      isStopped && {
        title: 'Resume the key',
        button: 'Resume key',
        look: 'primary',
        text: 'The key works again, unless an agreement has ended or someone else stopped it, too.',
        reason: 'Reason',
      },
    takeOver: !unproven &&
      !isSponsor && {
        event: 're_sponsor',
        title: 'Become the sponsor',
        button: 'Become the sponsor',
        text: 'You become responsible for the key instead of the admin who confirmed it.',
      },
    decline: {
      folded: 'Decline the request',
      button: 'Decline request',
      look: 'danger',
      reason: 'Reason for the developer',
    },
    notUs: {
      event: 'not_us',
      folded: 'We don’t recognize this request',
      button: 'Report request',
      look: 'danger',
      text: 'The request is put on hold immediately, and our security team investigates.',
      reason: 'What you know about it',
    },
    endSponsorship: !(binds && unproven) &&
      view.sponsor?.endedAt === null && {
        event: 'end_sponsorship',
        folded: 'End the sponsorship',
        button: 'End sponsorship',
        look: 'danger',
        text:
          view.keys.length > 0
            ? 'The key stops immediately. After seven days we revoke it, unless another admin becomes the sponsor. The company must then return or destroy your data.'
            : 'The request ends, and no key is created.',
        reason: 'Reason for the developer',
      },
    revoke: !unproven && {
      folded: 'Revoke the key permanently',
      button: 'Revoke key permanently',
      look: 'danger',
      text: 'The key stops at its next request. You can’t undo this.',
      reason: 'Reason for the developer',
    },
  }
}

interface PartiesProps {
  view: Pick<ProductionKeyView, 'signers' | 'practice'>
  /** The admin who confirms. */
  you: { name: string; email: string }
}

/** The BAA's signatory and the practice's details. */
function PartiesOfBaa({ view: { signers, practice }, you }: PartiesProps) {
  const [signerId, setSignerId] = useState(signers[0]?.id)
  // Without a script the name would stay that of the first signer when another is chosen.
  const isHydrated = useHydrated()
  const name = isHydrated ? signers.find(({ id }) => id === signerId)?.name : undefined
  return (
    <div className="grid g2 gap-4">
      <div onChange={({ target }) => target instanceof HTMLSelectElement && setSignerId(target.value)}>
        <Select
          name="signatoryId"
          label="Signatory of the BAA"
          options={signers.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <Field
        key={`name ${signerId} ${isHydrated}`}
        name="signatoryName"
        value={name}
        label="Their legal name"
      />
      <Field name="signatoryTitle" label="Their title" />
      <Field name="legalName" value={practice?.name} label="Practice’s legal name" />
      <Field name="address" label="Practice’s address" />
      <Field name="contactName" value={you.name} label="Agreement contact" />
      <Field name="contactEmail" value={you.email} label="Contact’s email address" type="email" />
    </div>
  )
}
