/** Forms of other sites must not act for a signed-in visitor. */
import { Problem } from '../contract/http/problems.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method)
}

/**
 * Unsafe portal methods need `Origin` equal to PUBLIC_ORIGIN; every browser sends it with them.
 * @throws Problem `forbidden`
 */
export function checkOrigin(request: Request, publicOrigin: string): void {
  if (isSafeMethod(request.method)) return
  const origin = request.headers.get('origin')
  if (origin === publicOrigin) return
  throw new Problem('forbidden', {
    message: `This form was not sent from ${publicOrigin}. Open the portal there and try again.`,
    detail: origin === null ? 'unsafe method without Origin' : 'unsafe method from another origin',
  })
}
