import { whyNotInPortal } from '../../../server/contract/lab/app-tokens.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { sandboxSignIns } from '../../../server/contract/lab/sandbox-sign-ins.ts'
import { formatScopes, readScopes } from '../../../server/contract/smart/scopes.ts'
import { ContractForm, Select, TextArea } from '../../components/ui/form.tsx'

interface TokenFormProps {
  audience: 'patient' | 'clinician' | 'backend'
  /** The scopes that the app is registered for. */
  scope: string
}

/** Requests a token for a person and with scopes. */
export function TokenForm({ audience, scope }: TokenFormProps) {
  const labels = {
    ...(audience === 'patient' && { person: 'Signed-in person' }),
    ...(audience === 'clinician' && { person: 'Clinician', patient: 'Patient in the chart' }),
    scope: 'Scopes',
  }
  return (
    <ContractForm
      title="New token"
      optional={['person', 'patient']}
      labels={labels}
      defaultValue={{
        person: peopleOf(audience)[0]?.value,
        patient: scope.includes('patient/') ? patients[0]?.value : '',
        scope: defaultScope(scope),
      }}
      button="Get token"
      busy="Getting the token"
    >
      {audience !== 'backend' && <Select name="person" options={peopleOf(audience)} />}
      {audience === 'clinician' && (
        <Select
          name="patient"
          options={[{ value: '', label: 'None' }, ...patients]}
          hint="Scopes that start with patient/ read this record."
        />
      )}
      <TextArea
        name="scope"
        mono
        spellCheck={false}
        rows={3}
        hint="Separate scopes with spaces. You can request less than the app is registered for, but not more. With openid, you also get an ID token."
      />
    </ContractForm>
  )
}

/** Registered scopes that a token of the portal can have, without those for the person's identity. */
function defaultScope(scope: string): string {
  const identity = ['openid', 'fhirUser']
  return formatScopes(
    readScopes(scope).filter(
      (scope) => !whyNotInPortal(scope) && !(scope.kind === 'launch' && identity.includes(scope.name)),
    ),
  )
}

const nameOf = (patientId: string) => sandboxPeople.find(({ id }) => id === patientId)?.name ?? patientId

const patients = sandboxPeople.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))

/** The people who can sign in. A parent is listed once for each record. */
function peopleOf(audience: TokenFormProps['audience']): { value: string; label: string }[] {
  return sandboxSignIns.flatMap((signIn) => {
    const { localPart, name } = signIn
    if (signIn.realm === 'patient')
      return audience === 'patient'
        ? signIn.actsFor.map(({ patientId, relationship }) => ({
            value: `${localPart}:${patientId}`,
            label:
              relationship === 'self'
                ? `${name} (${patientId})`
                : `${name}, for ${nameOf(patientId)} (${patientId})`,
          }))
        : []
    return audience === 'clinician' && signIn.role === 'clinician'
      ? [{ value: localPart, label: `${name} (${signIn.purpose})` }]
      : []
  })
}
