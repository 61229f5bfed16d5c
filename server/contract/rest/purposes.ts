/** Why a caller looks at a record; `X-Purpose`, recorded in the practice's own record of access. */
export const purposes = {
  operations: 'Running the practice.',
  treatment: 'Treating the patient.',
  payment: 'Billing and payment.',
  quality: 'Measuring and improving quality.',
  public_health: 'Public health reporting.',
  patient_request: 'Requested by the patient.',
} as const

export type Purpose = keyof typeof purposes

export const purposeNames = Object.keys(purposes) as [Purpose, ...Purpose[]]

export const purposeDefault: Purpose = 'operations'

export const isPurpose = (text: string): text is Purpose => Object.hasOwn(purposes, text)
