/** What the functions of a client are made with. */
import type { Client, ClientSecret, PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { Keyring } from '../../keyring.ts'

export type ClientDependencies = {
  prisma: PrismaClient
  clock: () => Date
  keyring: Keyring
  portalAudit: PortalAudit
  sessions: Pick<Sessions, 'isStepUpFresh'>
  randomBytes: (size: number) => Uint8Array
}

export type ClientWithSecrets = Client & { secrets: ClientSecret[] }
