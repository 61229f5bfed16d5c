import type { SubmissionResult } from '@conform-to/react'
import { Form } from '@remix-run/react'
import { signInForm } from '../../../server/contract/forms/account.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../../components/ui/form.tsx'

interface SignInFormProps {
  lastResult: SubmissionResult<string[]> | null | undefined
  emailLabel: string
}

/** Address and password; the same at every sign-in page. */
export function SignInForm({ lastResult, emailLabel }: SignInFormProps) {
  const [form, fields] = useContractForm({ schema: signInForm, lastResult })
  return (
    <Form method="post" {...formProps(form)} className="card pad stack">
      <ErrorSummary form={form} fields={fields} labels={{ email: emailLabel, password: 'Password' }} />
      <Field meta={fields.email} label={emailLabel} type="email" autoComplete="username" />
      <Field meta={fields.password} label="Password" type="password" autoComplete="current-password" />
      <SubmitButton busy="Signing in">Sign in</SubmitButton>
    </Form>
  )
}
