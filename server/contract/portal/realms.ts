/**
 * The four sign-in pages. Each has its own cookie; a session of one opens no other. `mfa` says
 * who gives a code besides the password: everyone whose role requires it, and everyone who has set one up.
 */

export const realms = {
  developer: { sessionHours: 30 * 24, cookie: 'sandpiper-developer', mfa: 'by_choice' },
  staff: { sessionHours: 12, cookie: 'sandpiper-staff', mfa: 'always' },
  practice: { sessionHours: 12, cookie: 'sandpiper-practice', mfa: 'by_role' },
  patient: { sessionHours: 12, cookie: 'sandpiper-patient', mfa: 'never' },
} as const

export type Realm = keyof typeof realms
export const realmNames = Object.keys(realms) as readonly Realm[]

/** Roles in a practice whose holders sign in with two steps. */
export const twoStepPracticeRoles = ['admin', 'signatory'] as const
