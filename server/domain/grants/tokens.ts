/** Everything the token, introspection and revocation endpoints do, once it is known who asks. */
export { issueSystemToken } from './client-credentials.ts'
export { exchangeCode } from './exchange-code.ts'
export { introspect, revoke } from './introspection.ts'
export { findRefreshClient, refreshGrant } from './refresh-grant.ts'
export { deleteExpired } from './token-tick.ts'
