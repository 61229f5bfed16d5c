/** `sandpiper rotate-keys`, `npm run rotate-keys`: rotates the signing key of id_tokens, and seals values again with the first key of the keyring. */
import { parseArgs } from 'node:util'
import { resealPeoplePasswords } from '../domain/practices/standing-people.ts'
import { type KeyUses, retireKeys } from '../start/keyring-proof.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

async function main(): Promise<number> {
  parseArgs({ options: {} })
  const lines = await withServices(async ({ pool, prisma, keyring, signingKeys, mfaFactors, status }) => {
    const resealed =
      (await signingKeys.reseal()) +
      (await mfaFactors.reseal()) +
      (await status.resealSubscriptions()) +
      (await resealPeoplePasswords({ prisma, keyring }))
    const rotation = await signingKeys.rotate()
    const older = await retireKeys({ pool, keyring })
    return [
      `signs now:    ${rotation.current}`,
      `signs next:   ${rotation.next}`,
      rotation.rotated
        ? `retired:      ${rotation.retired ?? 'none'}`
        : `not rotated:  the next key was published less than a day ago. It can sign from ${rotation.readyAt.toISOString()}`,
      `resealed:     ${resealed} signing keys, authenticator secrets, subscription links and passwords of sandbox people`,
      ...older.map(describeOlderKey),
    ]
  })
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

function describeOlderKey({ keyId, uses }: KeyUses): string {
  const counts = uses.map(({ what, count }) => `${count} ${what}`).join(', ')
  return uses.length > 0
    ? `older key:    ${keyId} still opens ${counts}. Keep it in ENCRYPTION_KEYS`
    : `older key:    ${keyId} is no longer needed. Remove it from ENCRYPTION_KEYS`
}

runCommand(main)
