/**
 * The four front doors people sign in at. Each has its own cookie; a session of one opens no other. Where
 * `secondFactor` stands, a password alone opens nothing yet.
 */

export const realms = {
  developer: { sessionHours: 30 * 24, cookie: 'sandpiper-developer', secondFactor: false },
  staff: { sessionHours: 12, cookie: 'sandpiper-staff', secondFactor: true },
  practice: { sessionHours: 12, cookie: 'sandpiper-practice', secondFactor: false },
  patient: { sessionHours: 12, cookie: 'sandpiper-patient', secondFactor: false },
} as const

export type Realm = keyof typeof realms
export const realmNames = Object.keys(realms) as readonly Realm[]

/** A password typed this recently counts as step-up. */
export const stepUpMinutes = 10
