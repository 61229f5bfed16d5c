/** What the functions of an organization are made with. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Throttle } from '../accounts/throttle.ts'
import type { LinkTokens } from '../link-tokens/link-tokens.ts'

export type OrganizationDependencies = {
  prisma: PrismaClient
  clock: () => Date
  mail: Mail
  portalAudit: PortalAudit
  linkTokens: LinkTokens
}

export type OrganizationCore = OrganizationDependencies & { throttle: Throttle }
