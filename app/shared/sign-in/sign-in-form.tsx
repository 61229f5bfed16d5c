import { ContractForm, Field } from '../../components/ui/form.tsx'

interface SignInFormProps {
  emailLabel: string
}

/** The form of every sign-in page: address and password. */
export function SignInForm({ emailLabel }: SignInFormProps) {
  return (
    <ContractForm
      labels={{ email: emailLabel, password: 'Password' }}
      button="Sign in"
      busy="Signing in"
      wide
    >
      <Field name="email" type="email" autoComplete="username" />
      <Field name="password" type="password" autoComplete="current-password" />
    </ContractForm>
  )
}
