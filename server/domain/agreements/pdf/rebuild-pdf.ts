/**
 * An uploaded PDF, rebuilt from what its pages draw. A library reads it in a thread of its own: the file
 * comes from a stranger, and may take any time and memory.
 */
import { type PdfFault, pdfBounds } from '../../../contract/forms/pdf-rules.ts'
import { Problem } from '../../../contract/http/problems.ts'
import { runInThread, type ThreadBounds } from '../../../threads.ts'

export type Rebuilt = Readonly<{ bytes: Uint8Array } | { fault: PdfFault }>

/** Accounts whose document is being rebuilt. */
const underWay = new Set<string>()

/** @throws Problem `unavailable` while the person’s last one, or as many as a process takes, are being rebuilt */
export async function rebuildPdf(
  file: Uint8Array,
  accountId: string,
  bounds: ThreadBounds = pdfBounds,
): Promise<Rebuilt> {
  if (underWay.has(accountId) || underWay.size >= pdfBounds.atOnce)
    throw new Problem('unavailable', {
      detail: 'documents are being rebuilt',
      retryAfterSeconds: pdfBounds.milliseconds / 1_000,
    })
  underWay.add(accountId)
  try {
    const rebuilt = await runInThread<Rebuilt>(
      'server/domain/agreements/pdf/rebuild-thread.ts',
      { bytes: file },
      bounds,
    )
    return rebuilt ?? { fault: 'complex' }
  } finally {
    underWay.delete(accountId)
  }
}
