/** The state of contract/workflows/workflows.ts that an account's row is in. */
import type { Account } from '../../../prisma/generated/client/client.ts'

export function accountState(account: Pick<Account, 'disabledAt' | 'emailVerifiedAt'> | null) {
  if (!account) return null
  if (account.disabledAt) return 'disabled'
  return account.emailVerifiedAt ? 'active' : 'unverified'
}
