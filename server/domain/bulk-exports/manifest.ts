/** https://hl7.org/fhir/uv/bulkdata/STU2/export.html#response---complete-status */
import type { Keyring } from '../../keyring.ts'
import type { ExportFile } from './export-types.ts'

/** The file with the errors. It is not stored, but written when it is requested. */
export const errorFileName = '0.OperationOutcome.ndjson'

const macContext = 'link to a file of a bulk export'

type Link = { exportId: string; name: string; expires: string }

const textOf = ({ exportId, name, expires }: Link) => `${exportId}/${name}/${expires}`

/** An absolute URL. The signature covers its expiry, so that it can't be forged or prolonged. */
export function signedUrl(
  keyring: Pick<Keyring, 'mac'>,
  { base, exportId, name, linksEndAt }: { base: string; exportId: string; name: string; linksEndAt: Date },
): string {
  const expires = String(Math.floor(linksEndAt.getTime() / 1_000))
  const mac = keyring.mac(textOf({ exportId, name, expires }), macContext)
  const signature = Buffer.from(mac).toString('base64url')
  return `${base}/bulk/${exportId}/${name}?expires=${expires}&signature=${signature}`
}

export function isSigned(
  keyring: Pick<Keyring, 'matchesMac'>,
  { signature, ...link }: Link & { signature: string },
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(link.expires) || Number(link.expires) * 1_000 <= now.getTime()) return false
  return keyring.matchesMac(textOf(link), Buffer.from(signature, 'base64url'), macContext)
}

/** The text of the manifest. It is stored at the end of a run, so that every poll gets the same one. */
export function manifestText(options: {
  transactionTime: Date
  request: string
  files: readonly ExportFile[]
  /** The number of lines of the error file. */
  issueCount: number
  urlOf: (name: string) => string
}): string {
  const { transactionTime, request, files, issueCount, urlOf } = options
  return JSON.stringify({
    transactionTime: transactionTime.toISOString(),
    request,
    requiresAccessToken: true,
    output: files.map(({ type, name, count }) => ({ type, url: urlOf(name), count })),
    error: issueCount > 0 ? [{ type: 'OperationOutcome', url: urlOf(errorFileName), count: issueCount }] : [],
  })
}
