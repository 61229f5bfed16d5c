/** Checks that the app is registered in the practice's environment. https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1 */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkClient: AuthorizeCheck = async (context, { findClient }) => {
  const clientId = context.parameters.get('client_id')
  if (clientId === undefined) throw refuse('client_missing')
  context.client = await findClient(context.practice, clientId)
  if (context.client === null) throw refuse('client_unknown')
  if (context.client.suspendedAt !== null) throw refuse('client_suspended')
}
