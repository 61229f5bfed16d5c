/** Refuses `prompt=none`: a person always decides. https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkPrompt: AuthorizeCheck = ({ parameters }) => {
  if (parameters.get('prompt')?.split(' ').includes('none')) throw refuse('prompt_none')
}
