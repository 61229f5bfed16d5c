/**
 * Rebuilds an uploaded PDF from the visible content of its pages. The library runs in a separate process, because an
 * untrusted file may take any time and memory.
 */
import { type Bounds, runApart } from '../../../apart.ts'
import { type PdfFault, pdfBounds, pdfBusy } from '../../../contract/forms/pdf-rules.ts'
import { Problem } from '../../../contract/http/problems.ts'

export type Rebuilt = Readonly<{ bytes: Uint8Array } | { fault: PdfFault }>

/** Accounts with a document that is being rebuilt or waits for its turn. */
const underWay = new Set<string>()
const turns: (() => void)[] = []

/** @throws Problem `unavailable` while the person’s last document is being rebuilt, or while too many wait */
export async function rebuildPdf(
  file: Uint8Array,
  accountId: string,
  bounds: Bounds = pdfBounds,
): Promise<Rebuilt> {
  if (underWay.has(accountId) || underWay.size >= pdfBounds.atOnce + pdfBounds.waitingMax)
    throw new Problem('unavailable', {
      ...{ message: pdfBusy, field: 'file', detail: 'documents are being rebuilt' },
      retryAfterSeconds: pdfBounds.milliseconds / 1_000,
    })
  underWay.add(accountId)
  try {
    if (underWay.size > pdfBounds.atOnce) await new Promise<void>((begin) => turns.push(begin))
    const rebuilt = await runApart<Rebuilt>('server/domain/agreements/pdf/rebuild-apart.ts', file, bounds)
    return rebuilt ?? { fault: 'complex' }
  } finally {
    underWay.delete(accountId)
    turns.shift()?.()
  }
}
