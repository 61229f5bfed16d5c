/** The form of a draft in steps: which fields each asks for. Every field is in one of them. */
import type { LintReport } from './lint-findings.ts'
import { type RegistrationField, type RegistrationForm, registrationFields } from './registration-form.ts'

export const registrationSteps = {
  app: { title: 'The app', fields: ['name', 'description', 'logo', 'website'] },
  policies: {
    title: 'Policies and contacts',
    fields: ['privacyUrl', 'termsUrl', 'technicalContact', 'securityContact'],
  },
  'sign-in': {
    title: 'Sign-in',
    fields: ['audience', 'clientType', 'redirectUris', 'launchUrl', 'jwksUrl', 'jwks'],
  },
  scopes: { title: 'Scopes', fields: ['scope'] },
  attestations: {
    title: 'Attestations',
    fields: ['attestAuthority', 'attestPatients', 'attestSecrets', 'attestChanges'],
  },
} as const satisfies Record<string, { title: string; fields: readonly RegistrationField[] }>

export type RegistrationStep = keyof typeof registrationSteps
export const registrationStepNames = Object.keys(registrationSteps) as RegistrationStep[]

export const isRegistrationStep = (name: unknown): name is RegistrationStep =>
  typeof name === 'string' && Object.hasOwn(registrationSteps, name)

export const fieldsOfStep = (step: RegistrationStep): readonly RegistrationField[] =>
  registrationSteps[step].fields

export const stepOfField = (field: RegistrationField): RegistrationStep =>
  registrationStepNames.find((step) => fieldsOfStep(step).includes(field)) ?? 'app'

/** Null after the last. */
export const stepAfter = (step: RegistrationStep): RegistrationStep | null =>
  registrationStepNames[registrationStepNames.indexOf(step) + 1] ?? null

/** Where to go on: the first step that lacks something for production, else the first of all. */
export function firstOpenStep({ findings }: Pick<LintReport, 'findings'>): RegistrationStep {
  const open = findings.filter(({ severity }) => severity === 'error').map(({ field }) => stepOfField(field))
  return registrationStepNames.find((step) => open.includes(step)) ?? 'app'
}

/** What a person typed in one step, over what is stored of the others. */
export function withStep(
  stored: RegistrationForm,
  typed: RegistrationForm,
  step: RegistrationStep,
): RegistrationForm {
  return {
    ...stored,
    ...Object.fromEntries(fieldsOfStep(step).map((field) => [field, typed[field]])),
  } as RegistrationForm
}

/** Of all steps: what a form posts although it shows one step only. */
export const fieldsOfOtherSteps = (step: RegistrationStep): readonly RegistrationField[] =>
  registrationFields.filter((field) => stepOfField(field) !== step)
