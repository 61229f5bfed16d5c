/** Reading bodies: never more than the limit, whatever Content-Length says, chunked or not. */
import { limits } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import { parseStrictJson } from './strict-json.ts'

/** Bytes of bodies that are being received, by address; '' is the whole process. */
const held = new Map<string, number>()
const addresses = new WeakMap<Request, string>()

/** The edge says once from where a request comes. */
export function setBodyAddress(request: Request, ipSubject: string): void {
  addresses.set(request, ipSubject)
}

function hold(address: string, bytes: number): number {
  const total = (held.get(address) ?? 0) + bytes
  if (total === 0) held.delete(address)
  else held.set(address, total)
  return total
}

/**
 * The whole body.
 * @throws Problem `unsupported_media_type` for a compressed one, `payload_too_large` as soon as more than `max` bytes have come, or are announced,
 *   `rate_limited` and `unavailable` while too much is being received from the address, or by this process
 */
export async function readBody(request: Request, max: number = limits.bodyBytesMax): Promise<Uint8Array> {
  if (!/^(identity)?$/i.test(request.headers.get('content-encoding') ?? ''))
    throw new Problem('unsupported_media_type', { message: 'The body must not be compressed.' })
  checkAnnounced(request, max)
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body.getReader()
  const address = addresses.get(request) ?? 'unknown'
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      length += value.byteLength
      const ofAddress = hold(address, value.byteLength)
      const ofProcess = hold('', value.byteLength)
      if (length > max) throw tooLarge(max)
      if (ofAddress > limits.bodyBytesHeldPerAddress)
        throw new Problem('rate_limited', { retryAfterSeconds: 5 })
      if (ofProcess > limits.bodyBytesHeldPerProcess)
        throw new Problem('unavailable', { retryAfterSeconds: 5 })
      chunks.push(value)
    }
  } catch (error) {
    await reader.cancel().catch(() => {})
    throw error
  } finally {
    hold(address, -length)
    hold('', -length)
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, length)
}

/** A byte order mark stays, and is no JSON. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A JSON body, read strictly.
 * @throws Problem `unsupported_media_type`, `payload_too_large` or `malformed_json`, in this order
 */
export async function readJson(request: Request, max: number = limits.bodyBytesMax): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(type))
    throw new Problem('unsupported_media_type')
  const bytes = await readBody(request, max)
  return parseStrictJson(decodeUtf8(bytes))
}

/** @throws Problem `malformed_json` */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('malformed_json')
  }
}

function checkAnnounced(request: Request, max: number): void {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > max) throw tooLarge(max)
}

function tooLarge(max: number): Problem {
  return new Problem('payload_too_large', {
    message: `The body is larger than ${max.toLocaleString('en-US')} bytes.`,
  })
}
