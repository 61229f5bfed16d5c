/** What the app only wants back travels through every address of the exchange; proxies cut long ones off. */

import { smartLimits } from '../../contract/smart/lifetimes.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkStateLength: AuthorizeCheck = ({ parameters }) => {
  for (const name of ['state', 'nonce'])
    if (Buffer.byteLength(parameters.get(name) ?? '') > smartLimits.stateBytesMax)
      throw refuse('state_too_long')
}
