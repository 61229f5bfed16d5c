/**
 * Websites of the organizations of a demonstration. No name server knows these names (RFC 2606), so the server itself
 * answers what a registration has it open there: an evaluator needs no network.
 */
export const demonstrationDomains = [
  'larkfield.example',
  'brightmeadow.example',
  'quillhaven.example',
] as const

/** A public key; its private key was thrown away. */
const demonstrationJwks = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-384',
      x: '0TpNg75s3b8MnRS7jkXMgz27fCPR9dUheslHKZ6xzPDXMegmTDfkeJNrVUwjiv08',
      y: 'RKqTXFhjWxUEdx6lLdQ-1Tvm-fFWs20jKomEg2M768GmateFoHMFCdxx-KejCS3o',
      kid: 'demonstration-1',
      alg: 'ES384',
      use: 'sig',
    },
  ],
}
/** The text of the form field, and of `/jwks.json` of each site. */
export const demonstrationJwksText = JSON.stringify(demonstrationJwks)

/** Pages that answer below each domain. Every other path is a 404. */
export const demonstrationPaths = ['/', '/privacy', '/terms', '/jwks.json'] as const
