/** What the steps of a registration share. */
import type { Logger } from 'pino'
import type { PrismaClient, Registration } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { JobQueue } from '../../mail/job-queue.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Actor } from '../actor.ts'
import type { Clients } from '../clients/client-types.ts'
import type { Clocks } from './clocks.ts'
import type { Linter } from './lint/linter.ts'
import type { createSandboxClient } from './sandbox-client.ts'
import type { Walk } from './walk.ts'

export type RegistrationRooms = {
  prisma: PrismaClient
  clock: () => Date
  log: Pick<Logger, 'error' | 'warn' | 'info'>
  mail: Pick<Mail, 'enqueue'>
  jobs: JobQueue
  portalAudit: PortalAudit
  clients: Pick<Clients, 'create' | 'replace'>
  linter: Linter
  /** The terms of registration in force. */
  terms: { current(): { version: string; sha256: string } }
  logoAddress: (hash: string) => string
  /** The public directory of practices' bases. */
  directoryUrl: string
  randomBytes: (size: number) => Uint8Array
  clocks: Clocks
  walk: Walk
  sandboxClient: ReturnType<typeof createSandboxClient>
  findOwn: (registrationId: string, actor: Pick<Actor, 'accountId'>) => Promise<Registration>
}
