/** The four front doors people sign in at. Each has its own cookie; a session of one opens no other. */

export const realms = {
  developer: { sessionHours: 30 * 24, cookie: 'sandpiper-developer' },
  staff: { sessionHours: 12, cookie: 'sandpiper-staff' },
  practice: { sessionHours: 12, cookie: 'sandpiper-practice' },
  patient: { sessionHours: 12, cookie: 'sandpiper-patient' },
} as const

export type Realm = keyof typeof realms
export const realmNames = Object.keys(realms) as readonly Realm[]

/** A password typed this recently counts as step-up. */
export const stepUpMinutes = 10
