/** Checks that the practice allows FHIR access and apps of this audience. */
import { checkFhirAccess } from '../../domain/practices/fhir-access.ts'
import { type AuthorizeCheck, clientOf } from './authorize-check.ts'

export const checkPracticePolicy: AuthorizeCheck = (context) =>
  checkFhirAccess(context.practice, clientOf(context).audience)
