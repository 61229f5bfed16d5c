/** Organizations: developers' teams, who belongs to them and as what. */
export { findIdentified } from './find-identified.ts'
export { acceptInvitation, findInvitation } from './invitation-answers.ts'
export { cancelInvitation, expireInvitations, invite, renewInvitation } from './invitations.ts'
export { changeRole, leave, removeMember } from './members.ts'
export { overview } from './overview.ts'
export { create, get, listFor, rename } from './profile.ts'
