/** Organizations: developers' teams, who belongs to them and as what. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Mail } from '../../mail/mail.ts'
import { createThrottle, type Throttle } from '../accounts/throttle.ts'
import type { LinkTokens } from '../link-tokens/link-tokens.ts'
import { createInvitationAnswers } from './invitation-answers.ts'
import { createInvitations } from './invitations.ts'
import { createMembers } from './members.ts'
import { createOrganizationProfile } from './profile.ts'

export type OrganizationDependencies = {
  prisma: PrismaClient
  clock: () => Date
  mail: Mail
  portalAudit: PortalAudit
  linkTokens: LinkTokens
}

export type OrganizationCore = OrganizationDependencies & { throttle: Throttle }

export function createOrganizations(dependencies: OrganizationDependencies) {
  const core: OrganizationCore = { ...dependencies, throttle: createThrottle(dependencies) }
  return {
    ...createOrganizationProfile(core),
    ...createMembers(core),
    ...createInvitations(core),
    ...createInvitationAnswers(core),
  }
}

export type Organizations = ReturnType<typeof createOrganizations>
