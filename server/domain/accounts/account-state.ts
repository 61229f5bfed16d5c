/** The state of contract/workflows/workflows.ts that an account's row is in. */
import type { Account } from '../../../prisma/generated/client/client.ts'
import type { AccountState } from '../../contract/workflows/workflows.ts'

export function accountState(
  account: Pick<Account, 'disabledAt' | 'emailVerifiedAt'> | null,
): AccountState | null {
  if (!account) return null
  if (account.disabledAt) return 'disabled'
  return account.emailVerifiedAt ? 'active' : 'unverified'
}
