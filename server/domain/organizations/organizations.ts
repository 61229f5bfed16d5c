/** Organizations: developers' teams, who belongs to them and as what. */
import { createThrottle } from '../accounts/throttle.ts'
import type { OrganizationCore, OrganizationDependencies } from './dependencies.ts'
import { createInvitationAnswers } from './invitation-answers.ts'
import { createInvitations } from './invitations.ts'
import { createMembers } from './members.ts'
import { createOrganizationProfile } from './profile.ts'

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
