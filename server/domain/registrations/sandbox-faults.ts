/** What keeps a form from having a sandbox client, in the words of the authorization server. */
import type { RegistrationField, RegistrationForm } from '../../contract/workflows/registration-form.ts'
import { findClientFaults } from '../clients/client-fields.ts'
import { toClientFields } from './new-client.ts'

type SandboxFault = Readonly<{ field: RegistrationField; message: string }>

/** Empty when the form has a sandbox client as soon as it is saved. */
export function findSandboxFaults(form: RegistrationForm): readonly SandboxFault[] {
  const jwks = form.jwks === '' || isJsonObject(form.jwks) ? form.jwks : '{}'
  // This server serves the logo, so its URL is never at fault.
  const fields = toClientFields({ env: { PUBLIC_ORIGIN: '' } }, { ...form, jwks, logo: '' })
  return findClientFaults({ ...fields, organizationId: null, environment: 'sandbox' }).map(
    ({ field, message }) => ({ field: formField(field), message }),
  )
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** The authorization server has names of its own for two fields. */
function formField(field: string): RegistrationField {
  const names: Readonly<Record<string, RegistrationField>> = {
    homepage: 'website',
    authentication: 'clientType',
  }
  return names[field] ?? (field as RegistrationField)
}
