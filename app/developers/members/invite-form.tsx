import { invitationForm } from '../../../server/contract/forms/account.ts'
import {
  type OrganizationRole,
  roleDescriptions,
} from '../../../server/contract/portal/organization-roles.ts'
import { Card } from '../../components/ui/card.tsx'
import { Choices } from '../../components/ui/choice.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field } from '../../components/ui/field.tsx'

/** Invites one person by mail. */
export function InviteForm({ grantable }: { grantable: readonly OrganizationRole[] }) {
  const options = grantable.map((role) => ({ value: role, label: role, sub: roleDescriptions[role] }))
  return (
    <Card
      id="invite"
      title="Invite a member"
      aside={<span className="small muted">The link in the email expires after seven days</span>}
    >
      <ContractForm
        schema={invitationForm}
        labels={{ email: 'Work email', role: 'Role' }}
        defaultValue={{ role: 'developer' }}
        button="Send invitation"
        busy="Sending"
        className="pad stack read"
      >
        <input type="hidden" name="intent" value="invite" />
        <Field
          name="email"
          type="email"
          autoComplete="off"
          hint="They sign in or sign up with exactly this address."
        />
        <Choices name="role" options={options} />
      </ContractForm>
    </Card>
  )
}
