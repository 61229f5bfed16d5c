/**
 * Hashes passwords with argon2id and OWASP's parameters. Unknown accounts are compared with a dummy hash. The number of
 * concurrent computations is limited, because each takes 19 MiB and a core.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { Problem } from '../contract/http/problems.ts'
import { normalizePassword } from '../contract/portal/password-rules.ts'

/** `algorithm: 2` is argon2id; the package's enum is not visible to isolated modules. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const

/** The hash of accounts that have no password. No password matches it, and no email can reset it. */
export const nobodysPassword = 'none'

const hashesAtOnceMax = 4
const busyRetryAfterSeconds = 1

type PasswordVerdict = 'right' | 'wrong' | 'busy'

export function createPasswords() {
  let running = 0
  let dummy: Promise<string> | null = null

  /** @returns null if {@link hashesAtOnceMax} computations are running: there is no queue */
  async function withSlot<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (running >= hashesAtOnceMax) return null
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }

  /**
   * @returns the PHC string to store
   * @throws Problem `unavailable` (with Retry-After) while too many computations are running
   */
  async function hash(password: string): Promise<string> {
    const result = await withSlot(() => argon2Hash(normalizePassword(password), parameters))
    if (result === null) throw new Problem('unavailable', { retryAfterSeconds: busyRetryAfterSeconds })
    return result
  }

  /** Without a stored hash it compares with a dummy, so that unknown accounts take as long as known ones. */
  async function verify(hashed: string | null, password: string): Promise<PasswordVerdict> {
    const stored = hashed === nobodysPassword ? null : hashed
    const right = await withSlot(async () => {
      dummy ??= argon2Hash('nobody has this password', parameters)
      const matches = await argon2Verify(stored ?? (await dummy), normalizePassword(password))
      return matches && stored !== null
    })
    if (right === null) return 'busy'
    return right ? 'right' : 'wrong'
  }

  return { hash, verify, busyRetryAfterSeconds }
}

export type Passwords = ReturnType<typeof createPasswords>
