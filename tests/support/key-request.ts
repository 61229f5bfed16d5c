import { randomUUID } from 'node:crypto'
import type { SandboxKeyRequestInput } from '../../server/domain/keys/key-requests.ts'
import type { TestServices } from './services.ts'

/** The form of a request for a sandbox key, in order, with the terms in force. */
export function keyRequestForm(
  { agreementTexts }: Pick<TestServices, 'agreementTexts'>,
  organizationId: string,
  changes: Partial<SandboxKeyRequestInput> = {},
): SandboxKeyRequestInput {
  const { version, sha256 } = agreementTexts.get('sandbox-terms')
  return {
    organizationId,
    name: 'Nightly import',
    projectDescription:
      'We show lab results of synthetic people in an intake form and measure how long it takes.',
    technicalContact: 'tech@larkfield.example',
    level: 'read_only',
    termsVersion: version,
    termsSha256: sha256,
    idempotencyKey: randomUUID(),
    ...changes,
  }
}
