import { ActionForm } from '../../components/ui/action-form.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Select } from '../../components/ui/field.tsx'
import { type AgreementProps, once, PartyFields } from './agreement-acts.tsx'

/** For the reader's side, whose signatory may not sign any more. */
export function NameSignatoryForm({ of }: AgreementProps) {
  return (
    <Card id="name-signatory" title="Name who signs for you">
      <ActionForm
        {...once(of)}
        intent="nameSignatory"
        button="Send the new version"
        look="primary"
        className="pad stack"
      >
        <p>
          Whoever the document names for your side may not sign any more. Naming somebody else makes a new
          version; signatures on the present one will not count.
        </p>
        <Select
          name="accountId"
          label="Who signs"
          options={of.candidates.map(({ accountId, name }) => ({ value: accountId, label: name }))}
        />
        <PartyFields whose="Their" />
      </ActionForm>
    </Card>
  )
}
