/** `npm run rotate-keys`: changes the key that signs id_tokens, and brings what is sealed under the keyring's first key. */
import { withServices } from './with-services.ts'

async function main(): Promise<void> {
  const lines = await withServices(async ({ signingKeys, secondFactors, clientAuthentication, status }) => {
    const sealedAnew =
      (await signingKeys.reseal()) + (await secondFactors.reseal()) + (await status.resealSubscriptions())
    const { current, next, retired } = await signingKeys.rotate()
    const oldSecrets = await clientAuthentication.countOldSecrets()
    return [
      `signs now:    ${current}`,
      `signs next:   ${next}`,
      `retired:      ${retired ?? 'none'}`,
      `sealed anew:  ${sealedAnew} signing keys, second steps and links of subscriptions`,
      ...(oldSecrets > 0
        ? [
            `app secrets:  ${oldSecrets} still need an older key of ENCRYPTION_KEYS, until each is used once more`,
          ]
        : []),
    ]
  })
  process.stdout.write(`${lines.join('\n')}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
