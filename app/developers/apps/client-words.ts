/** Apps in words, the same on every page. */

export const audienceNames = {
  patient: 'Patients',
  clinician: 'Clinicians',
  backend: 'None (backend system)',
} as const

export const authenticationNames = {
  none: 'Public: PKCE only',
  client_secret_basic: 'Confidential: secret',
  private_key_jwt: 'Confidential: signed assertion',
} as const
