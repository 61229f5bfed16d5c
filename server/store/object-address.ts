/** `s3://bucket/prefix` in two parts. */
const addressPattern =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+)?\/?)?$/

/** @returns the prefix empty, or with a slash at its end; null for a text that is not an address */
export function parseObjectAddress(address: string): { bucket: string; prefix: string } | null {
  const [, bucket, path = ''] = addressPattern.exec(address) ?? []
  return bucket === undefined ? null : { bucket, prefix: path && `${path}/` }
}
