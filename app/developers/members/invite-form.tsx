import type { SubmissionResult } from '@conform-to/react'
import { Form, useActionData } from '@remix-run/react'
import { invitationForm } from '../../../server/contract/forms/account.ts'
import {
  type OrganizationRole,
  roleDescriptions,
} from '../../../server/contract/portal/organization-roles.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Choices } from '../../components/ui/choice.tsx'
import { Field } from '../../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../../components/ui/form.tsx'

/** Invites one person by mail. */
export function InviteForm({ grantable }: { grantable: readonly OrganizationRole[] }) {
  const lastResult = useActionData<{ lastResult: SubmissionResult<string[]> | null }>()?.lastResult
  const [form, fields] = useContractForm({
    schema: invitationForm,
    lastResult,
    defaultValue: { role: 'developer' },
  })
  const options = grantable.map((role) => ({ value: role, label: role, sub: roleDescriptions[role] }))
  return (
    <Card
      id="invite"
      title="Invite somebody"
      aside={<span className="small muted">The link in the mail lives seven days</span>}
    >
      <Form method="post" {...formProps(form)} className="pad stack read">
        <ErrorSummary form={form} fields={fields} labels={{ email: 'Work email', role: 'Role' }} />
        <input type="hidden" name="intent" value="invite" />
        <Field
          meta={fields.email}
          label="Work email"
          type="email"
          autoComplete="off"
          hint="They sign in, or sign up, with exactly this address."
        />
        <Choices meta={fields.role} legend="Role" options={options} />
        <div>
          <SubmitButton busy="Sending">Send the invitation</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}
