/** Which versions of TLS a server accepts: a request over each. */
import { request } from 'node:https'
import { proxiedName } from './nginx.ts'

export const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const

/** Those over which the CapabilityStatement came. @throws Error for anything but a refused handshake */
export async function acceptedVersions(port: number, path: string) {
  const accepted: (typeof tlsVersions)[number][] = []
  for (const version of tlsVersions) if (await isAccepted(port, path, version)) accepted.push(version)
  return accepted
}

function isAccepted(port: number, path: string, version: (typeof tlsVersions)[number]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', port, path, servername: proxiedName, headers: { host: proxiedName } },
        ...{ minVersion: version, maxVersion: version },
        // Old versions want a signature that OpenSSL otherwise does without.
        ciphers: 'DEFAULT@SECLEVEL=0',
        rejectUnauthorized: false,
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (more: string) => {
          text += more
        })
        answer.on('end', () => {
          if (JSON.parse(text).resourceType === 'CapabilityStatement') resolve(true)
          else reject(new Error(`${version}: ${answer.statusCode} ${text}`))
        })
      },
    )
    asked.on('error', (error) => {
      if (error.message.includes('alert protocol version')) resolve(false)
      else reject(error)
    })
    asked.end()
  })
}
