/** Registered apps: made, changed, shown, suspended; their secrets and where they may be used. */
export { disableAt, enableAt } from './client-practices.ts'
export { addSecret, revokeSecret } from './client-secrets.ts'
export { create, findKeySetFailure, get, listPage, resume, suspend } from './registrations.ts'
export { replace } from './replace-client.ts'
