import { ActionForm } from '../../components/ui/action-form.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Select } from '../../components/ui/field.tsx'
import { type AgreementProps, once, PartyFields } from './agreement-acts.tsx'

/** For the reader's side, whose signatory may not sign any more. */
export function NameSignatoryForm({ of }: AgreementProps) {
  return (
    <Card id="name-signatory" title="Name a new signatory">
      <ActionForm
        {...once(of)}
        intent="nameSignatory"
        button="Send new version"
        look="primary"
        className="pad stack"
      >
        <p>
          Your side’s signatory is no longer authorized to sign. Naming someone else creates a new version.
          Signatures on the current one no longer count.
        </p>
        <Select
          name="accountId"
          label="Signatory"
          options={of.candidates.map(({ accountId, name }) => ({ value: accountId, label: name }))}
        />
        <PartyFields whose="Their" />
      </ActionForm>
    </Card>
  )
}
