/** What others run: one GET to the address that operations configured. */
import type { Core } from '../../domain/core.ts'
import { type Finding, found } from './probe.ts'

/** @param url unset: nobody looks; `off`: off on purpose */
export async function lookOutside({ outbound }: Core, url: string | undefined): Promise<Finding> {
  if (url === undefined) return found('not_available', 'Not checked.')
  if (url === 'off') return found('disabled', 'Off on purpose.')
  try {
    const { status } = await outbound.get(url, { accept: '*/*' })
    return status >= 200 && status < 400
      ? found('operational', 'It responds.')
      : found('down', 'It responds with an error.')
  } catch {
    return found('down', 'It is not responding.')
  }
}
