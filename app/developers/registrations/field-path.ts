import type { RegistrationField } from '../../../server/contract/workflows/registration-form.ts'
import { type RegistrationStep, stepOfField } from '../../../server/contract/workflows/registration-steps.ts'

/** @param formPath of the form where it is another page */
export function hrefOfField(formPath: string, field: RegistrationField): string {
  return formPath === '' ? `#${field}` : `${pathOfStep(formPath, stepOfField(field))}#${field}`
}

/** A link to a step is where somebody goes on, also tomorrow or from another machine. */
export const pathOfStep = (formPath: string, step: RegistrationStep) => `${formPath}?step=${step}`
