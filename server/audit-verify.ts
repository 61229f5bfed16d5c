/** `npm run audit:verify`: computes the chain of the portal's audit rows anew. */
import { withServices } from './with-services.ts'

async function main(): Promise<void> {
  const verdict = await withServices(({ sealer }) => sealer.verify())
  if (verdict.intact) {
    process.stdout.write(
      `intact: ${verdict.sealed} rows sealed, ${verdict.waiting} waiting, ${verdict.heads} daily heads fit\n`,
    )
    return
  }
  process.stdout.write(`broken at ${verdict.number}: ${verdict.reason}\n`)
  process.exitCode = 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
