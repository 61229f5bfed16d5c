/** What a sample app is started with. The portal shows the command: Apps, Sample apps. */
import { parseArgs } from 'node:util'

/** Where the samples listen; their redirect and launch URLs are registered with these ports. */
export const samplePorts = { patient: 8001, clinician: 8002 } as const

export function readOptions(port = 0) {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      'client-id': { type: 'string' },
      port: { type: 'string', default: String(port) },
      /** Keeps the key pair, and the files of an export. */
      folder: { type: 'string', default: 'examples/.data' },
      types: { type: 'string', default: 'Patient,Condition' },
    },
    allowPositionals: true,
  })
  const { base, 'client-id': clientId } = values
  if (!base || !clientId) {
    console.error('--base and --client-id are missing. Copy the command in the portal: Apps, Sample apps.')
    process.exit(1)
  }
  return { ...values, base: base.replace(/\/+$/, ''), clientId, port: Number(values.port) }
}
