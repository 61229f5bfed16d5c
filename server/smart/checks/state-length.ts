/** Limits `state` and `nonce`, because they are part of several URLs, and proxies truncate long URLs. */

import { smartLimits } from '../../contract/smart/lifetimes.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkStateLength: AuthorizeCheck = ({ parameters }) => {
  for (const name of ['state', 'nonce'])
    if (Buffer.byteLength(parameters.get(name) ?? '') > smartLimits.stateBytesMax)
      throw refuse('state_too_long')
}
