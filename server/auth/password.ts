/**
 * Passwords: argon2id with OWASP's parameters, a dummy hash where there is no account, and a bound on how many
 * are computed at once (each takes 19 MiB and a core).
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { Problem } from '../contract/http/problems.ts'
import { normalizePassword } from '../contract/portal/password-rules.ts'

/** `algorithm: 2` is argon2id; the package's enum is not visible to isolated modules. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const

/** Stored for accounts that no one signs in to: no password has it as its hash, and no mail leads to a new one. */
export const nobodysPassword = 'none'

const hashesAtOnceMax = 4
const busyRetryAfterSeconds = 1

type PasswordVerdict = 'right' | 'wrong' | 'busy'

export function createPasswords() {
  let running = 0
  let dummy: Promise<string> | null = null

  /** @returns null when {@link hashesAtOnceMax} are being computed already; no one waits in line */
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
   * A PHC string to store.
   * @throws Problem `unavailable` (with Retry-After) when too many are computed at once
   */
  async function hash(password: string): Promise<string> {
    const made = await withSlot(() => argon2Hash(normalizePassword(password), parameters))
    if (made === null) throw new Problem('unavailable', { retryAfterSeconds: busyRetryAfterSeconds })
    return made
  }

  /** Compares; without a stored hash a dummy is compared, so that a miss takes as long as a hit. */
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
