/** Certificates made on the spot, for servers that a test runs with TLS. X.509 in DER, by hand. */
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Certificate = { key: string; cert: string }

const selfSigned = 'Sandpiper tests'

/**
 * @param names DNS names it is good for
 * @param subject whose it is
 * @param issuer signs it; itself without one
 */
export function makeCertificate(
  names: readonly string[],
  { subject = selfSigned, issuer }: { subject?: string; issuer?: Certificate & { subject: string } } = {},
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const day = 86_400_000
  const validity = sequence(Buffer.concat([time(Date.now() - day), time(Date.now() + 365 * day)]))
  const alternatives = sequence(Buffer.concat(names.map((each) => der(0x82, Buffer.from(each)))))
  const authority = sequence(issuer ? Buffer.alloc(0) : der(0x01, Buffer.from([0xff])))
  const extensions = der(
    0xa3,
    sequence(Buffer.concat([extension('2.5.29.17', alternatives), extension('2.5.29.19', authority)])),
  )
  const body = sequence(
    Buffer.concat([
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, Buffer.from([1, ...randomBytes(7)])),
      algorithm,
      distinguishedName(issuer?.subject ?? subject),
      validity,
      distinguishedName(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      extensions,
    ]),
  )
  const signature = createSign('SHA256')
    .update(body)
    .sign(issuer?.key ?? privateKey)
  const whole = sequence(
    Buffer.concat([body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature]))]),
  )
  // No empty line before the end where the text fills its last line: OpenSSL refuses one.
  const text = whole.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  }
}

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(Buffer.concat([oid('2.5.4.3'), der(0x0c, Buffer.from(commonName))]))))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const header = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...header]), content])
}

const sequence = (content: Buffer) => der(0x30, content)

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = rest.flatMap((value) => {
    const groups = [value & 0x7f]
    for (let left = value >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]))
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(Buffer.concat([oid(id), der(0x04, value)]))
}
